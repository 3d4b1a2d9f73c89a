"""One module a variant; ``shared.ruleset`` finds them by looking here."""
