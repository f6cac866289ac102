/** Exports everything that a server needs, so that a bundler removes nothing. */
export * as core from '@genmount/core'
export * as v1Interface from '@genmount/v1-interface'
export * as nodeHttp from '@genmount/node-http'
