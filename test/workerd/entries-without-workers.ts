/** The entries of packages that need what a worker has not, and what that is. All others run in workers. */
export const entriesWithoutWorkers: Readonly<Record<string, string>> = {
  '@genmount/backend-sqlite': 'a file, through node:sqlite',
  '@genmount/cli': 'a terminal and files',
  '@genmount/express-middleware': 'requests of node:http',
  '@genmount/files-disk': 'a folder',
  '@genmount/mcp/node': 'requests of node:http',
  '@genmount/mcp/stdio': 'the standard input of a process',
  '@genmount/node-http': 'requests of node:http',
  '@genmount/operator/page': 'esbuild, with which the page is bundled before it is published',
  '@genmount/playground': 'esbuild, with which the page is bundled before it is published',
  '@genmount/provider-esrgan': 'threads, and the native code of sharp',
  '@genmount/provider-kit/workers': 'threads',
  '@genmount/provider-procedural': 'threads, and the native code of sharp',
  '@genmount/scheduler-bullmq': 'TCP connections to Redis, through ioredis',
  '@genmount/testing': 'node:assert',
  '@genmount/testing/http': 'node:assert, and connections of node:net',
  '@genmount/variants': 'threads, the native code of sharp, and ffmpeg',
}
