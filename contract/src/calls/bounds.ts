/**
 * Bounds of the specification (§9) and the contract. No imports, so that a first page loads no validation
 * library.
 */

/** Names of people and products. Bounds of texts are in characters. */
export const MAX_NAME = 120;
/** Lines of an address, a description and a review. */
export const MAX_LINES = 50;
export const MAX_EMAIL = 254;
export const MIN_PASSWORD = 6;
export const MAX_PASSWORD = 128;
export const MIN_ADMIN_PASSWORD = 12;
/** Before deleting the account. */
export const RECENT_SIGN_IN_SECONDS = 10 * 60;
export const RESET_LINK_SECONDS = 3600;
export const VERIFICATION_LINK_SECONDS = 24 * 3600;
export const MAX_SESSION_SECONDS = 30 * 24 * 60 * 60;
export const BACKUP_CODES = 10;
export const MAX_KEY_NAME = 60;
/** A person has at most so many keys. */
export const MAX_KEYS = 20;

/** Characters of education and location. */
export const MAX_PROFILE_TEXT = 200;
export const MAX_PROFILE_PHONE = 40;
export const MAX_LINKDIN = 300;
export const MAX_COMPANY = 120;
export const MAX_TAX_NUMBER = 60;
export const MAX_EXEMPT_REASON = 200;

export const MAX_DESCRIPTION = 2000;
/** In units of the shop's currency. */
export const MIN_PRICE = 1;
/** 100,000 units, or 10,000,000 of a currency without cents. */
export const MAX_PRICE_CENTS = 10_000_000;
export const MIN_STOCK = 0;
export const MIN_NEW_STOCK = 1000;
export const MAX_STOCK = 100_000_000;
export const MIN_AVAILABLE_UNTIL = 2020;
export const MAX_AVAILABLE_UNTIL = 2100;
/** Counted in working days. */
export const MAX_DELIVERY_DAYS = 365;
export const MAX_STOCK_NOTE = 200;
/** The same change within it may be a repeated file. */
export const REPEATED_STOCK_HOURS = 24;
/** Bounds a file of the catalogue. */
export const MAX_IMPORT_LINES = 10_000;
export const MAX_IMPORT_BYTES = 10 * 1024 * 1024;
export const MIN_MINIMUM_ORDER = 50;
export const MAX_MINIMUM_ORDER = 1_000_000;
/** A part's name in its page's address. */
export const MAX_SLUG = 80;
export const MIN_PART_NUMBER = 3;
export const MAX_PART_NUMBER = 64;
export const MAX_FITS = 100;
/** Other names of a part, and a customer's own names of all parts. */
export const MAX_KNOWN_AS = 20;
export const MAX_ALIASES = 5_000;
export const MAX_ALIAS = 60;
export const MAX_MODEL = 60;
export const MAX_ATTRIBUTES = 30;
export const MAX_ATTRIBUTE_NAME = 60;
export const MAX_ATTRIBUTE_VALUE = 200;
export const MAX_IMAGES = 6;
export const MAX_PRICE_BREAKS = 5;
export const MAX_IMAGE_ADDRESS = 2048;

export const MAX_ADDRESS = 500;
/** Digits and the marks between them. */
export const MIN_PHONE = 5;
export const MAX_PHONE = 20;
/** The card provider's limit for one payment. */
export const MAX_TOTAL_CENTS = 99_999_999;
export const MAX_REFERENCE = 60;
export const MAX_BATCH_LINES = 100;
export const MAX_BATCH_TEXT = 20_000;
export const MAX_BATCH_FILE_BYTES = 5 * 1024 ** 2;
export const MAX_PRICED_PARTS = 100;
/** Of a customer, waiting for an answer. */
export const MAX_OPEN_QUOTES = 10;
export const MAX_QUOTE_NOTE = 500;
/** Five quantities of each part. */
export const MAX_ANSWERED_PRICES = 500;
/** A customer waits for at most so many parts. */
export const MAX_WISHES = 100;
export const MAX_PAID_TOGETHER = 100;
/** Declined tries of a customer within `DECLINE_PAUSE_MINUTES`; the next waits. */
export const MAX_DECLINES = 5;
export const DECLINE_PAUSE_MINUTES = 15;
/** For one act, or the papers of one file. */
export const MAX_CHOSEN_ORDERS = 500;
export const MAX_SORTED_ORDERS = 1_000;
export const MAX_CARRIER = 60;
export const MAX_PARCEL_NUMBER = 60;
export const MAX_PARCEL_LINES = 2_000;
export const MAX_REFUND_REASON = 200;
export const MAX_IDEMPOTENCY_KEY = 255;
export const IDEMPOTENCY_KEY_DAYS = 30;
export const EVENT_DAYS = 30;
export const MAX_WEBHOOKS = 10;
export const MAX_WEBHOOK_ADDRESS = 500;
export const SECRET_OVERLAP_HOURS = 24;

/** Includes the current week. */
export const OVERVIEW_WEEKS = 12;
export const LOW_STOCK_MINIMUM_ORDERS = 200;

export const REVIEWS_PER_DAY = 5;
export const MAX_REVIEW = 1000;
export const MIN_RATING = 1;
export const MAX_RATING = 5;
export const RATING_STEP = 0.5;
export const DEFAULT_RATING = 5;

/** Specification §9; the newest (contract). */
export const FEATURED_PARTS = 3;
/** Specification §9: characters before the ellipsis. */
export const CARD_DESCRIPTION = 90;

export const MAX_LIVE_PRODUCTS = 50;

/** Rows of one answer: maximum and default. */
export const PAGE_LIMIT = 100;
/** The shop's own pages ask for so many rows. */
export const PAGE_SIZE = 24;
/** Exact up to here; above, `X-Total-Count` is `1000+`. */
export const COUNTED_TO = 1000;
/** Longer than any cursor: a name of 120 four-byte characters gives 700. */
export const MAX_CURSOR = 800;
export const MAX_SEARCH = 120;

/** In each list of a person's exported data. */
export const MAX_RECORDS = 10_000;
export const DOWNLOAD_SECONDS = 60;

export const MAX_JSON_BYTES = 64 * 1024;
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
/** Bounds the memory for decoding a small file. */
export const MAX_IMAGE_PIXELS = 50_000_000;
/** WebP's maximum in pixels; larger pictures would take a minute to resize. */
export const MAX_IMAGE_SIDE = 16_383;
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'] as const;
/** Pixels; the embedded host stores each as `.webp` and `.avif`. */
export const IMAGE_WIDTHS = [160, 320, 640, 1280] as const;
