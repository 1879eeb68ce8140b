import type { Product } from '@parts-forge/contract/products/products';

type Compared = Pick<Product, 'attributes' | 'fits'>;

/** How another part differs: attributes in the order of the first part, then models that it does not fit. */
export function listDifferences(part: Compared, other: Compared): { attributes: string[]; models: string[] } {
  const find = (attributes: Compared['attributes'], name: string) =>
    attributes.find((each) => each.name.toLowerCase() === name.toLowerCase())?.value;
  const changed = part.attributes.flatMap(({ name, value }) => {
    const is = find(other.attributes, name);
    return is === undefined || is === value ? [] : [`${is} in place of ${value}`];
  });
  const added = other.attributes.flatMap(({ name, value }) =>
    find(part.attributes, name) === undefined ? [`${name}: ${value}`] : [],
  );
  const models = part.fits.filter((model) => !other.fits.includes(model)).map((model) => `not ${model}`);
  return { attributes: [...changed, ...added], models };
}
