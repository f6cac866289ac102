declare module '@size-limit/preset-small-lib' {
  const plugins: readonly object[]
  export default plugins
}
