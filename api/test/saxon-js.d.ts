declare module 'saxon-js' {
  interface Options {
    /** A compiled stylesheet. */
    stylesheetInternal: unknown;
    sourceText: string;
    destination: 'serialized';
  }
  const SaxonJS: { transform(options: Options, how: 'sync'): { principalResult: string } };
  export default SaxonJS;
}
