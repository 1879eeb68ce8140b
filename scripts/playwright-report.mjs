import { dirname } from 'node:path';
import { quotePattern, relativePath, shorten, sum, writeResults } from './test-results.mjs';

export default class PlaywrightReport {
  #errors = [];

  onBegin(_config, suite) {
    this.stories = suite.allTests();
  }

  onError({ message }) {
    this.#errors.push({ message: shorten(message) });
  }

  onEnd({ duration }) {
    const byFile = Map.groupBy(this.stories, ({ location }) => relativePath(location.file));
    const seconds = (stories) => sum(stories, ({ results }) => sum(results, (one) => one.duration)) / 1000;
    writeResults({
      passed: this.stories.filter((story) => story.outcome() === 'expected').length,
      // A flaky story counts as failed.
      failures: [
        ...this.stories.filter((story) => ['unexpected', 'flaky'].includes(story.outcome())).map(describe),
        ...this.#errors,
      ],
      parts: [{ name: 'stories', seconds: duration / 1000 }],
      files: [...byFile].map(([path, stories]) => ({ path, seconds: seconds(stories) })),
    });
  }
}

function describe(story) {
  // The root has no title, and a file is a suite.
  const [, device, , ...titles] = story.titlePath();
  const path = relativePath(story.location.file);
  const failed = story.results.filter(({ status }) => status !== 'passed').at(-1);
  const attached = failed?.attachments.find((attachment) => attachment.path)?.path;
  const only = device ? `--project ${device} ` : '';
  return {
    name: [path, ...titles, device].filter(Boolean).join(' › '),
    message: shorten(failed?.error?.message),
    alone: `${path} ${only}-g ${quotePattern(titles.join(' '))}`,
    ...(attached && { folder: `${relativePath(dirname(attached))}/` }),
  };
}
