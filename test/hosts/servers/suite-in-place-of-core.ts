import { httpSuiteService } from '@genmount/testing/http'

/** Gives the app that makes a service the one of the suite. */
export const createGenerationService = () => httpSuiteService().service
