import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { refusals } from '#test/settings.ts';
import { measureContrast } from './accent.ts';

const folder = mkdtempSync(join(tmpdir(), 'shop-logo-'));
afterAll(() => rmSync(folder, { recursive: true }));

function aFile(content: string | Buffer): string {
  const file = join(folder, 'logo');
  writeFileSync(file, content);
  return file;
}
const aPng = (width: number, height = width) =>
  sharp({ create: { width, height, channels: 4, background: '#0b5fff' } })
    .png()
    .toBuffer();
const anSvg = (content: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 8 8"${attributes}>${content}</svg>`;

describe('accent', () => {
  test('an accent without contrast on light pages is refused with its contrast', () => {
    expect(refusals({ SHOP_ACCENT: '#ff9900' })).toEqual([
      'SHOP_ACCENT #ff9900 has a contrast of 1.95 with the light pages and needs 4.5: choose a darker colour.',
    ]);
  });

  test.each(['#0b5fff', '#7a1f5c', '#000000', '#0000ff', '#b00020', '#6b6b00'])(
    '%s has a tint with contrast on dark pages',
    (colour) => {
      const { accent } = readConfig({ SHOP_ACCENT: colour }).shop;
      const { light = '', dark = '' } = accent ?? {};
      expect(light).toBe(colour);
      for (const ground of ['#ffffff', '#f3f5f7'])
        expect(measureContrast(light, ground)).toBeGreaterThan(4.5);
      // The sheet, the bench, the band, and the text of filled buttons.
      for (const ground of ['#161a1e', '#0d1115', '#1f2329', '#12171b'])
        expect(measureContrast(dark, ground)).toBeGreaterThan(4.5);
    },
  );

  test('the contrast of black and white is 21', () => {
    expect(measureContrast('#000000', '#ffffff')).toBeCloseTo(21);
    expect(measureContrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
  });

  test("the grounds are the style sheet's", () => {
    const css = readFileSync(new URL('../../../../../web/app/theme.css', import.meta.url), 'utf8');
    for (const token of [
      '--color-base-200: light-dark(oklch(97% 0.004 240), ',
      '--color-base-100: light-dark(oklch(100% 0 0), oklch(21.5% 0.011 250))',
      '--color-band: light-dark(oklch(24% 0.014 250), oklch(25.5% 0.012 250))',
    ])
      expect(css).toContain(token);
  });
});

describe('logo', () => {
  test.each([
    ['a plain drawing', anSvg('<path d="M0 0h8v8Z" fill="#123"/>')],
    [
      'local references',
      anSvg(
        '<linearGradient id="a"/><linearGradient id="b" xlink:href="#a"/><path d="M0 0h8v8Z" fill="url(#b)"/>',
      ),
    ],
    ['a style', anSvg('<style>.a > .b{fill:url("#c")}</style><!-- by hand --><g class="a"/>')],
    ['a declaration', `<?xml version="1.0" encoding="UTF-8"?>\n${anSvg('<title>Søn &amp; Co</title>')}`],
  ])('an SVG with %s is accepted', async (_what, svg) => {
    const { logo } = readConfig({ SHOP_LOGO: aFile(svg) }).shop;
    expect(logo).toMatchObject({
      type: 'svg',
      path: expect.stringMatching(/^\/assets\/logo-[0-9a-f]{16}\.svg$/),
    });
    expect(await sharp(await logo?.draw(192)).metadata()).toMatchObject({
      format: 'png',
      width: 192,
      height: 192,
    });
  });

  test.each([
    ['<script>alert(1)</script>', 'has a <script>'],
    ['<s:script xmlns:s="http://www.w3.org/2000/svg"/>', 'has a <s:script>'],
    ['<foreignObject/>', 'has a <foreignObject>'],
    ['<a href="#b"/>', 'has a <a>'],
    ['<set attributeName="href" to="x"/>', 'has a <set>'],
    ['<animate attributeName="href"/>', 'has a <animate>'],
    ['<g onload="alert(1)"/>', 'has the attribute onload in <g>'],
    ['<g ONCLICK="alert(1)"/>', 'has the attribute ONCLICK in <g>'],
    ['<use href="#a"/>', 'has a <use>'],
    ["<image xlink:href='data:image/png;base64,AA'/>", 'has a <image>'],
    ["<stop xlink:href='//evil.example'/>", 'has the attribute xlink:href in <stop>'],
    ['<g xml:base="https://evil.example/"/>', 'has the attribute xml:base in <g>'],
    ['<g fill="url(https://evil.example/#a)"/>', 'has the attribute fill in <g>'],
    ['<g fill="url( //evil.example/#a)"/>', 'has the attribute fill in <g>'],
    ['<g style="fill:u&#114;l(//evil.example)"/>', 'has the attribute style in <g>'],
    ['<g style="fill:\\75rl(//evil.example)"/>', 'has the attribute style in <g>'],
    ['<style>@import "https://evil.example/a.css";</style>', 'has the text'],
    ['<style>a > b{fill:url(//evil.example)}</style>', 'has the text'],
    ['<style>a{fill:ur<!-- -->l(//evil.example)}</style>', 'has the text'],
    ['<img xmlns="http://www.w3.org/1999/xhtml" srcset="//evil.example"/>', 'has a <img>'],
    ['<title>&evil;</title>', 'has the text'],
    ['<style><![CDATA[a{}]]></style>', 'is no plain SVG'],
    ['<?xml-stylesheet href="https://evil.example/a.css"?>', 'is no plain SVG'],
    ['<g title="a>b"/>', 'is no plain SVG'],
    ['<g fill=red/>', 'is no plain SVG'],
  ])('an SVG with %s is refused', (content, sentence) => {
    const [refusal, ...more] = refusals({ SHOP_LOGO: aFile(anSvg(content)) });
    expect(refusal).toMatch(`SHOP_LOGO ${sentence}`);
    expect(more).toEqual([]);
  });

  test.each([
    ['an SVG with a document type', '<!DOCTYPE svg [<!ENTITY a "b">]><svg/>', 'must be a PNG or an SVG.'],
    ['an HTML page', '<html><svg/></html>', 'must be a PNG or an SVG.'],
    ['a GIF', 'GIF89a', 'must be a PNG or an SVG.'],
    ['a large file', Buffer.alloc(256 * 1024 + 1), 'must be a file of at most 256 kB.'],
    ['a cut PNG', Buffer.from('89504e470d0a1a0a00', 'hex'), 'must have sides of 64 to 2048 pixels.'],
  ])('%s is refused', (_what, content, sentence) => {
    expect(refusals({ SHOP_LOGO: aFile(content) })).toEqual([`SHOP_LOGO ${sentence}`]);
  });

  test('a missing file is refused', () => {
    expect(refusals({ SHOP_LOGO: '/no/such/logo.svg' })).toEqual([
      'SHOP_LOGO must name a file that the user of the shop may read (ENOENT).',
    ]);
  });

  test('a PNG has sides of 64 to 2048 pixels', async () => {
    for (const [width, height] of [
      [63, 64],
      [64, 2049],
    ] as const)
      expect(refusals({ SHOP_LOGO: aFile(await aPng(width, height)) })).toEqual([
        'SHOP_LOGO must have sides of 64 to 2048 pixels.',
      ]);
    expect(refusals({ SHOP_LOGO: aFile(await aPng(64)) })).toEqual([]);
  });

  test('a damaged picture is refused when it is drawn', async () => {
    const png = await aPng(200);
    for (const damaged of [png.subarray(0, png.length - 60), anSvg('<g>'), anSvg('</svg><svg>')]) {
      const { logo } = readConfig({ SHOP_LOGO: aFile(damaged) }).shop;
      await expect(logo?.draw(64)).rejects.toThrow('SHOP_LOGO is a damaged picture.');
    }
  });

  test('a wide logo is drawn into a square on the wanted ground', async () => {
    const { logo } = readConfig({ SHOP_LOGO: aFile(await aPng(200, 100)) }).shop;
    const read = async (picture: Buffer | undefined) =>
      (await sharp(picture).ensureAlpha().raw().toBuffer()).subarray(0, 4).toString('hex');
    expect(await read(await logo?.draw(64))).toMatch(/00$/);
    expect(await read(await logo?.draw(64, '#ffffff'))).toBe('ffffffff');
  });
});
