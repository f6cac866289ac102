import { writePage } from '@genmount/page-kit/build'
import { buildOperatorPage } from './build-operator-page.ts'

writePage(new URL('../../dist/', import.meta.url), 'built-page', buildOperatorPage())
