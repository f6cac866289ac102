import type { NextConfig } from 'next'

const config: NextConfig = { serverExternalPackages: ['@genmount/provider-procedural'] }

export default config
