/** What the check needs of a package.json. */
export interface EngineManifest {
  readonly name: string
  readonly engines: { readonly node: string }
}

/**
 * Makes a line of JavaScript that refuses a Node.js that is older than `engines.node` of the package. npm only warns of
 * such a Node.js, and without this line the package would start, and fail later at the first function that is missing. Bun,
 * Deno, browsers and workers pass, because the version of Node.js that some of them report is not theirs.
 * @param refusal what a file does: a module throws an `Error`, a program prints one line and ends with exit code 1
 * @throws TypeError when `engines.node` does not have the form `>=22.12`
 */
export function engineCheck({ name, engines }: EngineManifest, refusal: 'throw' | 'exit'): string {
  const [, major, minor = '0'] = /^>=(\d+)(?:\.(\d+))?$/.exec(engines.node) ?? []
  if (major === undefined) throw new TypeError(`engines.node of ${name} must have the form >=22.12.`)
  const words = `\`${name} is made for Node.js ${engines.node.slice(2)} or later, and this is Node.js \${v.node}.\``
  const refuse =
    refusal === 'exit' ? `{console.error(${words});process.exit(1)}` : `throw new Error(${words});`
  // Workers of Cloudflare report an empty version of V8.
  const isNode = 'v?.v8&&!v.bun&&!v.deno'
  const isOlder = `(a<${major}||a==${major}&&b<${minor})`
  return `{const v=globalThis.process?.versions,[a,b]=v?.node?.split(".")??[];if(${isNode}&&${isOlder})${refuse}}`
}
