import type { NextConfig } from 'next'

// Its worker threads are files of their own, which a bundle would not have.
const config: NextConfig = { serverExternalPackages: ['@genmount/provider-procedural'] }

export default config
