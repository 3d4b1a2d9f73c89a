import assert from 'node:assert/strict';
import test from 'node:test';
import da from '../../../client/web/js/lang/help_da.js';
import de from '../../../client/web/js/lang/help_de.js';
import en from '../../../client/web/js/lang/help_en.js';

/** What the help has to say, as it is said in English, German and Danish. @type {Record<string, [RegExp, RegExp, RegExp]>} */
const SAID = {
  'a non-king is refused on an empty column, even to bare a card': [/takes only a king, even if/, /nur einen König an, auch nicht/, /kun lægges en konge; .* heller ikke/],
  'the second ace of spades goes to the second place': [/second ace of spades .* second place/, /zweite Pik-Ass .* zweiten Platz/, /andet spar es .* anden plads/],
  'a black 6 has four places': [/black 6 has four places/, /schwarze 6 hat vier/, /sort 6-kort har fire/],
  'why draw 3 is harder': [/three is harder: only every third/, /schwerer: Nur jede dritte/, /sværere: kun hvert tredje/],
  'why some deals cannot be won': [/cannot be won by any play.* lies under what needs it/, /durch keinen Zug gewinnen.* liegt unter dem/, /kan ikke vindes med noget træk.* ligger under det/],
  'why that word comes late': [/proven, never from a guess.* comes late/, /bewiesen ist, nie auf Verdacht.* kommt das Wort spät/, /bevist, aldrig på et skøn.* kommer ordet sent/],
  'an early recycle costs less than 100': [/early one costs less than 100/, /frühes Umdrehen kostet also weniger als 100/, /koster det mindre end 100/],
  'Vegas needs more than ten cards': [/more than ten to be ahead/, /mehr als zehn, um ins Plus/, /mere end ti for at komme i plus/],
  'with two decks more than twenty': [/more than twenty cards/, /mehr als zwanzig Karten/, /mere end tyve kort/],
  'a card by way of a column earns 5 more': [/earns 5 more/, /bringt 5 mehr/, /giver 5 mere/],
  'a duel takes 5 to 10 minutes': [/five to ten minutes/, /fünf bis zehn Minuten/, /fem til ti minutter/],
  'turns suit new players': [/turns suits new players/, /besser für neue Spieler/, /bedst for nye spillere/],
  'the order of arrival counts': [/order in which they arrive, and dates none back/, /Reihenfolge, in der sie ankommen, und datiert keinen/, /rækkefølge, de kommer, og tilbagedaterer ingen/],
  'what are relatives': [/Russian Bank.*Spite and Malice are relatives/, /Russian Bank.*Spite and Malice sind Verwandte/, /Russian Bank.*Spite and Malice er slægtninge/],
  'tip: aces early': [/uncover your aces early/, /deine Asse früh auf/, /dine esser frem tidligt/],
  'tip: up boldly': [/play up boldly, even/, /mutig ab, auch/, /modigt op i en duel, også/],
  'tip: watch the other': [/5 of clubs, lay yours first/, /Kreuz-5, leg deine zuerst/, /klør 5, så læg din først/],
  'tip: draw last': [/gives away time/, /verschenkt Zeit/, /giver tid væk/],
  'tip: kings with care': [/king into an empty column only if/, /König nur in eine leere Spalte, wenn/, /kun en konge i en tom kolonne, hvis/],
  'tip: face-down cards first': [/Turn face-down cards up first/, /Deck zuerst verdeckte Karten auf/, /Vend skjulte kort først/],
  'tip: no column without a king': [/before you have a king/, /bevor du einen König/, /før du har en konge/],
  'tip: the king by the queens': [/colour by the queens/, /Farbe nach den Damen/, /farve efter de damer/],
  'tip: a 5 or 6 may be needed': [/keep a 5 or 6/, /Behalte allein eine 5 oder 6/, /behold en 5 eller 6/],
  'tip: columns before the stock': [/before you draw; at draw 3/, /bevor du ziehst; bei drei Karten/, /før du trækker; ved træk 3/],
};
/** The words of the glossary. @type {[string, string, string][]} */
const WORDS = [
  ['Tableau', 'Tableau', 'Kolonne'],
  ['Stock', 'Nachziehstapel', 'Trækbunke'],
  ['Waste', 'Abwurfstapel', 'Aflæg'],
  ['Foundation', 'Ablagestapel', 'Grundbunke'],
  ['Run', 'Folge', 'Sekvens'],
  ['Pass', 'Durchgang', 'Gennemløb'],
  ['Available card', 'Verfügbare Karte', 'Frit kort'],
  ['Klondike', 'Klondike', 'Klondike'],
  ['At once, in turns', 'Gleichzeitig, abwechselnd', 'Samtidig, skiftevis'],
];
const HELPS = [en, de, da];

test('the help says all it has to, in every language', () => {
  HELPS.forEach((help, i) => {
    const lines = help.flatMap(([, texts]) => texts.map(String));
    for (const [what, said] of Object.entries(SAID)) assert.ok(lines.some((line) => said[i].test(line)), `${['en', 'de', 'da'][i]}: ${what}`);
  });
});

test('the glossary has its words, and the sections are alike', () => {
  HELPS.forEach((help, i) => {
    const glossary = help.at(-1)?.[1].map(([word]) => word);
    assert.deepEqual(glossary?.toSorted(), WORDS.map((word) => word[i]).toSorted());
    assert.deepEqual(help.map(([, texts]) => texts.length), en.map(([, texts]) => texts.length));
  });
});
