/** Every component is written with runes; anything else is an error. */
export default {
  compilerOptions: { runes: true },
  vitePlugin: {
    dynamicCompileOptions({ filename }) {
      return filename.includes('node_modules') ? { runes: undefined } : undefined;
    },
  },
};
