import { describe, expect, test } from 'vitest';
import { buildImageAddress, imageVariant, readImageHash } from './image-variant.ts';

const hash = '0123456789abcdef'.repeat(4);

describe('a picture', () => {
  test('has variants on the embedded host at any origin', () => {
    expect(imageVariant(`/images/${hash}-1280.webp`, 320, 'avif')).toBe(`/images/${hash}-320.avif`);
    expect(imageVariant(`https://shop.example/images/${hash}-1280.webp`, 160, 'webp')).toBe(
      `https://shop.example/images/${hash}-160.webp`,
    );
  });

  test.each([
    'https://elsewhere.example/x.webp',
    `/images/${hash.slice(1)}-1280.webp`,
    `/images/0${hash}-1280.webp`,
    `/images/${hash.replace('a', 'g')}-1280.webp`,
    `/images/${hash}-640.webp`,
    `/images/${hash}-1280.png`,
    '/images/undefined-1280.webp',
    `/images/${hash}-1280.webp?small`,
    `/images/${hash}-1280webp`,
    `/images/${hash}-1280.webp\n`,
    `\n/images/${hash}-1280.webp`,
    '',
  ])('has no variants at another address: %j', (image) => {
    expect(imageVariant(image, 320, 'avif')).toBeNull();
    expect(readImageHash(image)).toBeNull();
  });

  test('is found by its hash only by path', () => {
    expect(buildImageAddress(hash)).toBe(`/images/${hash}-1280.webp`);
    expect(readImageHash(buildImageAddress(hash))).toBe(hash);
    expect(readImageHash(`https://shop.example/images/${hash}-1280.webp`)).toBeNull();
    expect(readImageHash(`/elsewhere/images/${hash}-1280.webp`)).toBeNull();
  });
});
