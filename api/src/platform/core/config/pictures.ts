import * as z from 'zod/mini';
import { milliseconds, type SettingsGroup, setting, type Values } from './setting.ts';

export interface PicturesConfig {
  /** Bound of the making of one picture. */
  pictureTimeoutMs: number;
}

const settings = {
  PICTURE_TIMEOUT_MS: setting(
    'Milliseconds that the making of one uploaded picture may take.',
    z._default(milliseconds(), 10_000),
  ),
};

export const pictures = { title: 'Pictures', settings } satisfies SettingsGroup;

export const readPictures = (values: Values<typeof settings>): PicturesConfig => ({
  pictureTimeoutMs: values.PICTURE_TIMEOUT_MS,
});
