const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789'];

/**
 * One character wrong, missing, extra or swapped: about 2,000 for 32 characters, each an index lookup.
 * @param number lower-case letters and digits only
 */
export function listNearNumbers(number: string): string[] {
  const near = new Set<string>();
  for (let at = 0; at <= number.length; at += 1) {
    const [before, after] = [number.slice(0, at), number.slice(at)];
    for (const letter of LETTERS) {
      near.add(before + letter + after);
      if (after !== '') near.add(before + letter + after.slice(1));
    }
    near.add(before + after.slice(1));
    near.add(before + after.charAt(1) + after.charAt(0) + after.slice(2));
  }
  near.delete(number);
  return [...near];
}
