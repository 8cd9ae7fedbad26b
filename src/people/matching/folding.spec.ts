import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { foldEmail, foldName, foldNameByPreviousRule, foldPhone } from './folding.js';

/** All 140,000 letters of Unicode. */
const letters = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => /\p{L}/u.test(character));
const letter = fc.oneof(
  fc.nat({ max: letters.length - 1 }).map((index) => letters[index] ?? ''),
  fc.constantFrom(...Array.from('aZéßẞøıİŁ\u{149}ΣσςΆᾳйЁשבﷺگがｶ한ᄒ')),
);
const marks = fc.string({
  unit: fc.constantFrom('\u{300}', '\u{301}', '\u{308}', '\u{323}', '\u{338}', '\u{5C1}', '\u{64B}', '\u{3099}'),
  maxLength: 2,
});
const written = fc.tuple(letter, marks).map(([base, above]) => base + above);
const name = fc.array(written, { minLength: 1, maxLength: 12 });
const UNWRITTEN =
  " \u{A0}\u{3000}\u{200B}\u{200D}\u{FEFF}\u{AD}-\u{2010}\u{2011}\u{2013}\u{2014}\u{2212}\u{FE63}\u{FF0D}\u{5BE}'`\u{B4}\u{2018}\u{2019}\u{201B}\u{2032}\u{2035}\u{2B9}\u{2BB}\u{2BC}\u{2BD}\u{2BE}\u{2BF}\u{2C8}\u{60}\u{55A}\u{5F3}\u{A78B}\u{A78C}\u{FF07}\u{FE0F}\u{2800}";
/** Characters that Unicode calls a full stop or a comma, and those that decompose into them. */
const STOPS_AND_COMMAS =
  '.,\u{2024}\u{2025}\u{2026}\u{FF0E}\u{FF0C}\u{FE52}\u{FE50}\u{FE10}\u{FE19}\u{3001}\u{3002}\u{FF61}\u{FF64}\u{FE11}\u{FE12}\u{FE51}\u{60C}\u{6D4}\u{55D}\u{589}\u{701}\u{702}\u{7F8}\u{1362}\u{1363}\u{166E}\u{1802}\u{1803}\u{1808}\u{1809}\u{2CF9}\u{2CFE}\u{A4FE}\u{A4FF}\u{A60D}\u{A60E}\u{A6F3}\u{A6F5}\u{1144D}\u{1145A}\u{16AF5}\u{16E97}\u{16E98}\u{1BC9F}\u{1DA87}\u{1DA88}\u{2E32}\u{2E34}\u{2E3C}\u{2E41}\u{2E49}\u{2E4C}';
const unwritten = fc.string({
  unit: fc.constantFrom(...Array.from(UNWRITTEN), ...Array.from(STOPS_AND_COMMAS)),
  maxLength: 3,
});

describe('foldName', () => {
  it.each<[string, string, string[]]>([
    ['Spanish', 'rodriguez', ['Rodríguez', 'RODRI\u{301}GUEZ', 'rodriguez', 'Ｒｏｄｒｉｇｕｅｚ']],
    ['German', 'gross', ['Groß', 'GROẞ', 'GROSS', 'gross']],
    ['German umlauts', 'muller', ['Müller', 'MÜLLER', 'Muller', 'Mu\u{308}ller']],
    ['Nordic', 'soren', ['Søren', 'SØREN', 'Soren', 'Sören']],
    ['Danish', 'aeroskobing', ['Ærøskøbing', 'ÆRØSKØBING', 'Aeroskobing']],
    ['Icelandic', 'thorduridr', ['Þórðuríðr', 'THORDURIDR']],
    ['Polish', 'walesa', ['Wałęsa', 'WAŁĘSA', 'Walesa']],
    ['Croatian', 'dukic', ['Đukić', 'ĐUKIĆ', 'Dukic']],
    ['Maltese', 'hazzabbar', ['Ħaż-Żabbar', 'HAZ ZABBAR']],
    ['Turkish', 'yildiz', ['Yıldız', 'YILDIZ', 'Yildiz', 'YİLDİZ', 'yildiz']],
    ['Vietnamese', 'nguyendat', ['Nguyễn Đạt', 'NGUYỄN ĐẠT', 'Nguyen Dat', 'Nguye\u{302}\u{303}n-Đa\u{323}t']],
    ['French', 'jeanloeil', ['Jean-L’Œil', 'JEAN L\u{2BC}OEIL', 'Jean\u{2011}L\u{B4}œil']],
    [
      'Irish',
      'odell',
      ["O'Dell", 'O’Dell', 'ODell', 'O\u{B4}Dell', 'O`Dell', 'o dell', 'Ó Dell', 'O\u{2BB}Dell', 'O\u{FF07}Dell'],
    ],
    ['Saintly', 'stjohn', ['St. John', 'St John', 'StJohn', 'ST.JOHN', 'St\u{FF0E} John', 'St\u{2024}John']],
    ['Suffixed', 'grayjr', ['Gray, Jr.', 'Gray Jr', 'Gray,Jr', 'Gray\u{FF0C} Jr\u{FF0E}', 'GRAY, JR…']],
    ['Incorporated', 'acmeinc', ['Acme, Inc.', 'Acme Inc', 'Acme\u{60C} Inc\u{6D4}', 'Acme\u{3001}Inc\u{3002}']],
    ['Initialled', 'jrr', ['J. R. R.', 'JRR', 'J.R.R.', '\u{FF2A}\u{FF61}R\u{FE52}R']],
    ['Hawaiian', 'kealii', ['Keali\u{2BB}i', "Keali'i", 'Keali\u{2018}i', 'Kealii', 'Ke\u{101}lii']],
    ['Dutch', 'delacruzvandijk', ['De La Cruz-van Dĳk', 'DeLaCruz vanDijk']],
    ['Afrikaans', 'ndaba', ['\u{149}daba', 'N\u{2BC}daba', "'n Daba", 'Ndaba']],
    ['Azerbaijani', 'eliyev', ['Əliyev', 'əliyev', 'Eliyev']],
    ['Greek', 'οδυσσευσ', ['Οδυσσεύς', 'ΟΔΥΣΣΕΥΣ', 'Ὀδυσσεύς', 'οδυσσευς']],
    ['Russian', 'андрей', ['Андрей', 'АНДРЕЙ', 'Андреи\u{306}']],
    ['Ukrainian', 'лукяненко', ['Лук’яненко', 'ЛУК\u{2BC}ЯНЕНКО', "Лук'яненко", 'Лук\u{1FFD}яненко', 'Лукяненко']],
    ['Hebrew', 'בןצבי', ['בן־צבי', 'בן צבי', 'בן-צבי', 'בןצבי']],
    ['Hebrew geresh', 'צרלי', ['צ׳רלי', "צ'רלי", 'צרלי']],
    ['Japanese', 'がぎぐ', ['がぎぐ', 'か\u{3099}き\u{3099}く\u{3099}', 'が ぎ　ぐ']],
    ['Katakana', 'ガギ', ['ガギ', 'ｶﾞｷﾞ', 'カ\u{3099}キ\u{3099}']],
    ['Korean', '김한', ['김한', '김한'.normalize('NFD'), '김 한']],
    ['Arabic', 'الله', ['الله', '\u{FE8D}\u{FEDF}\u{FEE0}\u{FEEA}', 'ا لله']],
    ['Georgian', 'გიორგი', ['გიორგი', 'ᲒᲘᲝᲠᲒᲘ']],
    ['Mathematical letters', 'anna', ['𝐀𝐧𝐧𝐚', 'Ⓐⓝⓝⓐ', 'ANNA']],
    ['a test number', 'ann7', ['Ann7', 'ANN\u{2077}', 'ann７']],
  ])('%s: folds all spellings to %s', (_, folded, spellings) => {
    expect(spellings.map(foldName)).toEqual(spellings.map(() => folded));
  });

  it.each([
    ['Й', 'И'],
    ['ё', 'е'],
    ['が', 'か'],
    ['ガ', 'カ'],
    ['שׁ', 'ש'],
    ['مَ', 'م'],
    ['की', 'क'],
    ['Müller', 'Mueller'],
    ['Jose', 'Josef'],
    ['Sørensen', 'Soerensen'],
    ['ʔ', ''],
    ['ǃ', ''],
    ['Ann', 'Анн'],
  ])('keeps %s and %s apart', (one, other) => {
    expect(foldName(one)).not.toBe(foldName(other));
  });

  it.each(['', ' ', '\u{200B}', '\u{3000}\u{AD}', '\u{2800}', '\u{3164}', '\u{FFF9}'])(
    'returns null for %j',
    (blank) => {
      expect(foldName(blank)).toBeNull();
    },
  );

  it.each([
    ['-', '-'],
    [' - ', '-'],
    ['- -', '--'],
    ['\u{2014}', '\u{2014}'],
    ["'", "'"],
    ['\u{2019}', '\u{2019}'],
    ['...', '...'],
    ['…', '...'],
    ['.\u{200B},', '.,'],
    ['\u{A78B}', '\u{A78C}'],
    ['\u{301}', '\u{301}'],
    ['\u{A8}', '\u{308}'],
    ['\u{2BB}', '\u{2BB}'],
    ['\u{FF0D}', '-'],
  ])('keeps the spelling of %j, which has no letters, as %j', (name, folded) => {
    expect(foldName(name)).toBe(folded);
  });

  it('folds like version 1 for the previous release: with full stops and commas, and null without letters', () => {
    const names = ['St. John', 'Gray, Jr.', "O'Dell-Lee", 'Ann', 'Straßer', '-', '\u{2019}', ' '];
    expect(names.map(foldNameByPreviousRule)).toEqual([
      'st.john',
      'gray,jr.',
      'odelllee',
      'ann',
      'strasser',
      null,
      null,
      null,
    ]);
  });

  it('distinguishes a spelling without letters from names with letters and from other spellings', () => {
    const spelling = fc.string({
      unit: fc.constantFrom(...Array.from("-\u{2014}'\u{2019}.,…"), ...Array.from(STOPS_AND_COMMAS)),
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(spelling, spelling, name, (one, other, parts) => {
        expect(foldName(one) === foldName(other)).toBe(one.normalize('NFKC') === other.normalize('NFKC'));
        expect(foldName(`A${parts.join('')}`)).not.toBe(foldName(one));
      }),
      { numRuns: 3000 },
    );
  });

  it('keeps other punctuation and handles hostile text as text', () => {
    expect(foldName("Robert'); DROP TABLE person;--")).toBe('robert);droptableperson;');
    expect(foldName('?')).toBe('?');
  });

  it('is at most 200 code points long, although one character can become 18', () => {
    expect(foldName('\u{FDFA}'.repeat(100))).toHaveLength(200);
    expect(foldName('\u{20BB7}'.repeat(201))).toBe('\u{20BB7}'.repeat(200));
  });

  it('folds every letter to the same result in any case and normal form', () => {
    const unequal = letters.filter((one) => {
      const folded = foldName(one);
      const forms = [folded ?? '', one.toUpperCase(), one.toLowerCase(), one.normalize('NFD'), one.normalize('NFKC')];
      return forms.some((form) => foldName(form) !== folded);
    });
    expect(unequal).toEqual([]);
  });

  it('is idempotent for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          name.map((parts) => parts.join('')),
        ),
        (text) => {
          const folded = foldName(text);
          if (folded !== null) expect(foldName(folded)).toBe(folded);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('ignores normal forms and letter case', () => {
    fc.assert(
      fc.property(name, (parts) => {
        const text = parts.join('');
        const spellings = (['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map((form) => text.normalize(form));
        spellings.push(text.toUpperCase(), text.toLowerCase(), text.normalize('NFD').toUpperCase());
        expect(spellings.map(foldName)).toEqual(spellings.map(() => foldName(text)));
      }),
      { numRuns: 3000 },
    );
  });

  it('ignores spaces, hyphens, apostrophes and invisible characters between letters', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(written, unwritten), { minLength: 1, maxLength: 12 }),
        unwritten,
        (parts, first) => {
          const spaced = first + parts.map(([part, between]) => part + between).join('');
          expect(foldName(spaced)).toBe(foldName(parts.map(([part]) => part).join('')));
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('folds English names by the fast path to the same result', () => {
    const english = fc.string({ unit: fc.constantFrom(...Array.from('aAbBiIkKsSzZ')), minLength: 1, maxLength: 220 });
    fc.assert(
      fc.property(english, (text) => {
        expect(foldName(text)).toBe(foldName(`\u{AD}${text}`));
      }),
      { numRuns: 3000 },
    );
  });

  it('leaves only plain letters in Latin script', () => {
    const latin = fc.constantFrom(...letters.filter((one) => /[\u{C0}-\u{24F}\u{1E00}-\u{1EFF}]/u.test(one)));
    fc.assert(
      fc.property(fc.string({ unit: latin, minLength: 1 }), (text) => {
        // Except tones and glottal stops, which have no plain letter, and the dot that is part of U+0140.
        expect(foldName(text)).toMatch(/^[a-z\u{185}\u{1A8}\u{1B9}\u{1BD}\u{242}\u{B7}]*$/u);
      }),
    );
  });
});

describe('foldEmail', () => {
  it.each([
    ['Ann.Lee@EXAMPLE.org', 'ann.lee@example.org'],
    [' ann@example.org ', 'ann@example.org'],
    ['JOSE\u{301}@example.org', 'jos\u{E9}@example.org'],
    ['H\u{331}@example.org', '\u{1E96}@example.org'],
    ["o'dell-x+gift@example.org", "o'dell-x+gift@example.org"],
    ['ann@example.org\u{200B}', 'ann@example.org'],
    ['\u{FEFF}a\u{AD}nn@exa\u{2060}mple.org \u{202C}', 'ann@example.org'],
    ['ann@example.org\u{200B} ', 'ann@example.org'],
  ])('folds %j to %j', (email, folded) => {
    expect(foldEmail(email)).toBe(folded);
  });

  it.each([
    ...['', ' ', '\u{200B}', 'n/a', 'em..x@docomo.example', '.x@docomo.example', 'x.@ezweb.example'],
    ...[`${'t'.repeat(65)}@reply.example.org`, 'ann@my_church.example'],
  ])('returns null for %j', (email) => {
    expect(foldEmail(email)).toBeNull();
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const folded = foldEmail(text);
        if (folded !== null) expect(foldEmail(folded)).toBe(folded);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('foldPhone', () => {
  it.each([
    ['+1 901 555 0101', 'US', '+19015550101'],
    ['(901) 555-0101', 'US', '+19015550101'],
    ['9015550101', 'US', '+19015550101'],
    ['1.901.555.0101', 'US', '+19015550101'],
    ['901\u{2011}555\u{2011}0101', 'US', '+19015550101'],
    ['901-555-0101 ext. 5', 'US', '+19015550101'],
    ['901-555-0101x5', 'US', '+19015550101'],
    ['\u{202D}+1 (901) 555-0101\u{202C}', 'US', '+19015550101'],
    ['９０１５５５０１０１', 'US', '+19015550101'],
    ['011 44 20 7946 0958', 'US', '+442079460958'],
    ['020 7946 0958', 'GB', '+442079460958'],
    ['+44 (0)20 7946 0958', 'US', '+442079460958'],
    ['06 698 12345', 'IT', '+390669812345'],
    ['+1 901 555 0101', 'ZZ', '+19015550101'],
  ])('reads %j in %s as %s', (phone, country, folded) => {
    expect(foldPhone(phone, country)).toBe(folded);
  });

  it.each([
    ['n/a', 'US'],
    ['', 'US'],
    ['\u{200B}', 'US'],
    ['0', 'US'],
    ['0000000000', 'US'],
    ['555-0101', 'US'],
    ['call 901-555-0101', 'US'],
    ['901-555-0101 / 901-555-0102', 'US'],
    ['020 7946 0958', 'US'],
    ['(901) 555-0101', 'ZZ'],
    ['901-555-0101', ''],
    ['+1 901 555 0101 901 555 0101', 'US'],
    ['9'.repeat(260), 'US'],
  ])('returns null for %j in %s', (phone, country) => {
    expect(foldPhone(phone, country)).toBeNull();
  });

  it('returns a number or null, and never throws', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...Array.from('0123456789+()-. x#;ext=/,')), maxLength: 50 }),
    );
    fc.assert(
      fc.property(text, fc.constantFrom('US', 'GB', 'DE', 'AR', 'ZZ', '', 'us'), (phone, country) => {
        expect(foldPhone(phone, country) ?? '+1').toMatch(/^\+[1-9]\d*$/);
      }),
      { numRuns: 2000 },
    );
  });
});
