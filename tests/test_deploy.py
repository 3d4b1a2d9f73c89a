"""The image and its compose file: what they name exists, and they keep the promises of the README."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent


def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    return loaded


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions in order, continued lines joined."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE)
    lines = text.replace("\\\n", " ").splitlines()
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in lines if line.strip()]


def test_what_the_image_copies_is_there_and_not_ignored() -> None:
    admitted = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {
        source
        for name, rest in instructions()
        if name == "COPY" and "--from" not in rest
        for source in rest.split()[:-1]
    }
    assert copied == admitted
    assert all((ROOT / source).exists() for source in copied)


def test_the_image_runs_as_a_user_of_its_own() -> None:
    users = [rest for name, rest in instructions() if name == "USER"]
    assert users
    assert users[-1] not in {"root", "0"}


@pytest.mark.parametrize("name", sorted(compose()["services"]))
def test_each_service_is_checked_and_restarted(name: str) -> None:
    service = compose()["services"][name]
    assert service["healthcheck"]["test"]
    assert service["restart"] == "unless-stopped"


def test_a_node_has_a_read_only_root_and_a_volume_for_its_games() -> None:
    node = compose()["services"]["node"]
    assert node["read_only"] is True
    assert node["cap_drop"] == ["ALL"]
    volumes = {volume.split(":")[0] for volume in node["volumes"]}
    assert volumes <= set(compose()["volumes"])
