import { writePage } from '@genmount/page-kit/build'
import { buildPlayground } from './build-playground.ts'

writePage(new URL('../../dist/', import.meta.url), 'page', buildPlayground())
