/** The newest product of a shop. @throws Error without products */
export async function findProduct(port: number): Promise<{ _id: string; name: string; quantity: number }> {
  const response = await fetch(`http://127.0.0.1:${port}/product?limit=1`);
  const [product] = (await response.json()) as { _id: string; name: string; quantity: number }[];
  if (!product) throw new Error('The shop has no products.');
  return product;
}
