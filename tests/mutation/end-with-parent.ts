// Loaded into Stryker and its workers, so that they end with their parent.
process.once('disconnect', () => process.exit(1));
// The channel keeps workers alive; Stryker itself ends when its work is done.
if (process.env.STRYKER_MUTATOR_WORKER === undefined) process.channel?.unref();
