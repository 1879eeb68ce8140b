import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import SaxonJS from 'saxon-js';
import { validateXML } from 'xmllint-wasm';

const read = (name: string) => readFile(new URL(`../../tests/e-invoice/${name}`, import.meta.url));
const [rules, schema, ...imported] = await Promise.all([
  read('EN16931-CII-validation.sef.json.gz').then((bytes) => JSON.parse(String(gunzipSync(bytes)))),
  ...[
    '100pD16B',
    'ReusableAggregateBusinessInformationEntity_100pD16B',
    'QualifiedDataType_100pD16B',
    'UnqualifiedDataType_100pD16B',
  ].map(async (name) => {
    const fileName = `CrossIndustryInvoice_${name}.xsd`;
    return { fileName, contents: String(await read(fileName)) };
  }),
]);

/** What the schema and the official rules find wrong in an e-invoice. */
export async function checkEInvoice(xml: string): Promise<string[]> {
  const { errors } = await validateXML({
    xml: [{ fileName: 'factur-x.xml', contents: xml }],
    schema: schema ? [schema] : [],
    preload: imported,
  });
  const options = { stylesheetInternal: rules, sourceText: xml, destination: 'serialized' } as const;
  const { principalResult } = SaxonJS.transform(options, 'sync');
  const refused = String(principalResult).matchAll(/<svrl:text>([^<]*)/g);
  return [...errors.map(({ message }) => message), ...Array.from(refused, ([, text = '']) => text.trim())];
}
