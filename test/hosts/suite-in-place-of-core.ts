import { httpSuiteService } from '@genmount/testing/http'

/** Returns the suite's service to an app that creates a service. */
export const createGenerationService = () => httpSuiteService().service
