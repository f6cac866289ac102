import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { httpSuiteService } from '@genmount/testing/http'

const { service, options, keys } = httpSuiteService()
const handle = toFetchHandler(service, { ...options, authenticate: apiKeys(keys), mountPath: '/suite' })

export { handle as DELETE, handle as GET, handle as OPTIONS, handle as POST }
