/**
 * Every bound and constant of the shop has its one home here: the specification's (§9) and the contract's
 * ("Fields and their bounds", "Ground rules"). Schemas, forms, statements and messages are made of these.
 * Nothing is imported, so that a visitor's first page pays for no library that checks forms.
 */

/** Names of people and products, in characters. */
export const MAX_NAME = 120;
/** Lines of a text that may have some: address, description, review. */
export const MAX_LINES = 50;
export const MAX_EMAIL = 254;
/** Least length of a customer's password in characters (specification §9). */
export const MIN_PASSWORD = 6;
export const MAX_PASSWORD = 128;
/** Least length of an administrator's password. */
export const MIN_ADMIN_PASSWORD = 12;
/** How long ago a person may have signed in at most to delete their account, in seconds (contract: ten minutes). */
export const RECENT_SIGN_IN_SECONDS = 10 * 60;
/** How long a link for a new password lives, in seconds. */
export const RESET_LINK_SECONDS = 3600;
/** How long a link that proves an address lives, in seconds. */
export const VERIFICATION_LINK_SECONDS = 24 * 3600;
/** How long a sign-in lasts in any case, in seconds (contract: 30 days). */
export const MAX_SESSION_SECONDS = 30 * 24 * 60 * 60;
/** Codes that open an account in place of the second factor, each once. */
export const BACKUP_CODES = 10;

/** Education and location of a profile, in characters. */
export const MAX_PROFILE_TEXT = 200;
export const MAX_PROFILE_PHONE = 40;
/** The LinkedIn address; the field is called `linkdin`. */
export const MAX_LINKDIN = 300;

/** A product's description, in characters. */
export const MAX_DESCRIPTION = 2000;
/** Price of one piece in dollars; the least is the specification's (§9). */
export const MIN_PRICE = 1;
export const MAX_PRICE = 100_000;
/** Pieces on hand: none is the least. */
export const MIN_STOCK = 0;
/** Pieces on hand when a product is added (specification §9). */
export const MIN_NEW_STOCK = 1000;
export const MAX_STOCK = 100_000_000;
/** Why a stock was changed, in characters. */
export const MAX_STOCK_NOTE = 200;
/** For how long the same pieces for the same part, in a file of changes, may be the same file once more, in hours. */
export const REPEATED_STOCK_HOURS = 24;
/** Parts of one call that changes many. */
export const MAX_BULK_CHANGES = 500;
/** Pieces of the smallest order; the least is the specification's (§9). */
export const MIN_MINIMUM_ORDER = 50;
export const MAX_MINIMUM_ORDER = 1_000_000;
/** A part's name in the address of its page, in characters. */
export const MAX_SLUG = 80;
/** A part number, in characters. */
export const MIN_PART_NUMBER = 3;
export const MAX_PART_NUMBER = 64;
/** Phone models of a part, and the characters of one. */
export const MAX_FITS = 100;
export const MAX_MODEL = 60;
/** Attributes of a part, and the characters of a name and of a value. */
export const MAX_ATTRIBUTES = 30;
export const MAX_ATTRIBUTE_NAME = 60;
export const MAX_ATTRIBUTE_VALUE = 200;
/** Pictures of a part; the first is the one in lists. */
export const MAX_IMAGES = 6;
/** Price breaks of a part. */
export const MAX_PRICE_BREAKS = 5;
/** Path or address of a product's picture, in characters. */
export const MAX_IMAGE_ADDRESS = 2048;

/** Where an order is sent to, in characters. */
export const MAX_ADDRESS = 500;
/** An order's phone number, in digits and the marks between them. */
export const MIN_PHONE = 5;
export const MAX_PHONE = 20;
/** The card provider's limit for one payment, in cents: $999,999.99. */
export const MAX_TOTAL_CENTS = 99_999_999;
/** A customer's own reference on an order, in characters. */
export const MAX_REFERENCE = 60;
/** Lines of a batch, each a part. */
export const MAX_BATCH_LINES = 100;
/** A pasted list of lines, in characters. */
export const MAX_BATCH_TEXT = 20_000;
/** Orders that one payment may be for. */
export const MAX_PAID_TOGETHER = 100;
/** Why an order is refunded, in characters. */
export const MAX_REFUND_REASON = 200;
/** `Idempotency-Key`, in printable characters. */
export const MAX_IDEMPOTENCY_KEY = 255;
/** For how long a request that is sent again with its key is known, in days. */
export const IDEMPOTENCY_KEY_DAYS = 30;

/** Weeks of revenue that the overview shows, the present one included. */
export const OVERVIEW_WEEKS = 12;
/** A part is low on stock with fewer minimum orders left than this. */
export const LOW_STOCK_MINIMUM_ORDERS = 200;

/** Reviews of one account within a day. */
export const REVIEWS_PER_DAY = 5;
/** A review's text, in characters. */
export const MAX_REVIEW = 1000;
/** Ratings run from 1 to 5 in steps of a half, 5 to begin with (specification §9). */
export const MIN_RATING = 1;
export const MAX_RATING = 5;
export const RATING_STEP = 0.5;
export const DEFAULT_RATING = 5;

/** Featured parts on the home page (specification §9); they are the three newest (contract). */
export const FEATURED_PARTS = 3;
/** Description on a card, in characters, before the ellipsis (specification §9). */
export const CARD_DESCRIPTION = 90;

/** Parts that one stream of events tells of. */
export const MAX_LIVE_PRODUCTS = 50;

/** Rows of one answer: at most, and when nothing is said. */
export const PAGE_LIMIT = 100;
/** Rows that our own pages ask for. */
export const PAGE_SIZE = 24;
/** Matches are counted exactly up to here; above, `X-Total-Count` is `1000+`. */
export const COUNTED_TO = 1000;
/** Longer than any cursor: a name of 120 characters of four bytes each gives 700. */
export const MAX_CURSOR = 800;
/** A search text, in characters. */
export const MAX_SEARCH = 120;

/** Entries of each list in a person's own data. */
export const MAX_RECORDS = 10_000;
/** How long a link to a file lives, in seconds. */
export const DOWNLOAD_SECONDS = 60;

/** JSON bodies, in bytes. */
export const MAX_JSON_BYTES = 64 * 1024;
/** A picture, in bytes: 10 MiB. */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
/** A picture's pixels, so that a small file cannot fill the memory when it is decoded. */
export const MAX_IMAGE_PIXELS = 50_000_000;
/** A picture's width or height in pixels: what WebP can have, and less than would take a minute to make smaller. */
export const MAX_IMAGE_SIDE = 16_383;
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'] as const;
/** The widths in pixels in which the embedded host stores every picture, each as `.webp` and `.avif`. */
export const IMAGE_WIDTHS = [160, 320, 640, 1280] as const;
