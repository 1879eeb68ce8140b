// Stryker and its workers end with their parent.
process.once('disconnect', () => process.exit(1));
// The channel keeps workers alive; Stryker ends by itself.
if (process.env.STRYKER_MUTATOR_WORKER === undefined) process.channel?.unref();
