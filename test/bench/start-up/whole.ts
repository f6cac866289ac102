/** Everything that a server needs, nothing shaken off. */
export * as core from '@genmount/core'
export * as v1Interface from '@genmount/v1-interface'
export * as nodeHttp from '@genmount/node-http'
