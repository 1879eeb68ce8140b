/**
 * Every bound and constant of the shop: the specification's (§9) and the contract's ("Fields and their
 * bounds", "Ground rules").
 * No imports, so that a visitor's first page loads no validation library.
 */

/** Names of people and products, in characters. */
export const MAX_NAME = 120;
/** Lines of a multi-line text: address, description, review. */
export const MAX_LINES = 50;
export const MAX_EMAIL = 254;
/** Specification §9. */
export const MIN_PASSWORD = 6;
export const MAX_PASSWORD = 128;
export const MIN_ADMIN_PASSWORD = 12;
/** Maximum age of a sign-in to delete the account (contract: ten minutes). */
export const RECENT_SIGN_IN_SECONDS = 10 * 60;
/** Lifetime of a password reset link. */
export const RESET_LINK_SECONDS = 3600;
/** Lifetime of a link that verifies an email address. */
export const VERIFICATION_LINK_SECONDS = 24 * 3600;
/** Lifetime of a sign-in (contract: 30 days). */
export const MAX_SESSION_SECONDS = 30 * 24 * 60 * 60;
/** Single-use codes in place of the second factor. */
export const BACKUP_CODES = 10;

/** Education and location of a profile, in characters. */
export const MAX_PROFILE_TEXT = 200;
export const MAX_PROFILE_PHONE = 40;
export const MAX_LINKDIN = 300;

export const MAX_DESCRIPTION = 2000;
/** Price of one piece in dollars; minimum by specification §9. */
export const MIN_PRICE = 1;
export const MAX_PRICE = 100_000;
/** Pieces on hand. */
export const MIN_STOCK = 0;
/** Pieces on hand when a product is added (specification §9). */
export const MIN_NEW_STOCK = 1000;
export const MAX_STOCK = 100_000_000;
export const MAX_STOCK_NOTE = 200;
/** The same change of stock within this time may be the same file sent twice. */
export const REPEATED_STOCK_HOURS = 24;
/** Parts in one bulk change. */
export const MAX_BULK_CHANGES = 500;
/** Pieces of the smallest order; minimum by specification §9. */
export const MIN_MINIMUM_ORDER = 50;
export const MAX_MINIMUM_ORDER = 1_000_000;
/** A part's name in its page's address, in characters. */
export const MAX_SLUG = 80;
export const MIN_PART_NUMBER = 3;
export const MAX_PART_NUMBER = 64;
/** Phone models of a part, and characters of one. */
export const MAX_FITS = 100;
export const MAX_MODEL = 60;
/** Attributes of a part, and characters of a name and a value. */
export const MAX_ATTRIBUTES = 30;
export const MAX_ATTRIBUTE_NAME = 60;
export const MAX_ATTRIBUTE_VALUE = 200;
/** Pictures of a part; lists show the first. */
export const MAX_IMAGES = 6;
export const MAX_PRICE_BREAKS = 5;
export const MAX_IMAGE_ADDRESS = 2048;

/** Shipping address of an order, in characters. */
export const MAX_ADDRESS = 500;
/** Digits and the marks between them. */
export const MIN_PHONE = 5;
export const MAX_PHONE = 20;
/** The card provider's limit for one payment: $999,999.99. */
export const MAX_TOTAL_CENTS = 99_999_999;
/** A customer's own reference on an order, in characters. */
export const MAX_REFERENCE = 60;
export const MAX_BATCH_LINES = 100;
/** A pasted list, in characters. */
export const MAX_BATCH_TEXT = 20_000;
export const MAX_PAID_TOGETHER = 100;
export const MAX_REFUND_REASON = 200;
/** Printable ASCII characters of `Idempotency-Key`. */
export const MAX_IDEMPOTENCY_KEY = 255;
/** How long an `Idempotency-Key` is remembered. */
export const IDEMPOTENCY_KEY_DAYS = 30;

/** Weeks of revenue in the overview, the current one included. */
export const OVERVIEW_WEEKS = 12;
/** Stock is low below this many minimum orders. */
export const LOW_STOCK_MINIMUM_ORDERS = 200;

export const REVIEWS_PER_DAY = 5;
export const MAX_REVIEW = 1000;
/** Ratings: specification §9. */
export const MIN_RATING = 1;
export const MAX_RATING = 5;
export const RATING_STEP = 0.5;
export const DEFAULT_RATING = 5;

/** The newest parts on the home page (specification §9 and contract). */
export const FEATURED_PARTS = 3;
/** Characters of a description on a card before the ellipsis (specification §9). */
export const CARD_DESCRIPTION = 90;

/** Parts that one event stream reports on. */
export const MAX_LIVE_PRODUCTS = 50;

/** Rows of one answer: maximum and default. */
export const PAGE_LIMIT = 100;
/** Rows that our own pages request. */
export const PAGE_SIZE = 24;
/** Matches are counted exactly up to here; above, `X-Total-Count` is `1000+`. */
export const COUNTED_TO = 1000;
/** Longer than any cursor: a name of 120 four-byte characters gives 700. */
export const MAX_CURSOR = 800;
export const MAX_SEARCH = 120;

/** Entries of each list in a person's exported data. */
export const MAX_RECORDS = 10_000;
/** Lifetime of a download link. */
export const DOWNLOAD_SECONDS = 60;

export const MAX_JSON_BYTES = 64 * 1024;
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
/** Keeps a small file from filling the memory when it is decoded. */
export const MAX_IMAGE_PIXELS = 50_000_000;
/** Pixels: WebP's maximum. Larger pictures would also take a minute to resize. */
export const MAX_IMAGE_SIDE = 16_383;
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'] as const;
/** Widths in pixels that the embedded host stores of every picture, each as `.webp` and `.avif`. */
export const IMAGE_WIDTHS = [160, 320, 640, 1280] as const;
