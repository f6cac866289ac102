/** What AWS Lambda passes to a function, and how its answer is read: for each service that can stand in front of one. */

/** A request to a function, as a client has sent it. */
export interface LambdaRequest {
  /** @default 'GET' */
  readonly method?: string
  /** The path, with a query behind it if there is one. */
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Whether a body of text comes in base64, as every body of bytes does. @default false */
  readonly isBase64?: boolean
}

/** What a function returns. */
export interface LambdaAnswer {
  readonly statusCode: number
  readonly headers?: Readonly<Record<string, string>>
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>
  readonly body?: string
  readonly isBase64Encoded?: boolean
}

/** A service that calls a function for each request. */
export interface LambdaFront {
  readonly name: string
  /** The address under which clients reach the function. */
  readonly origin: string
  eventOf(request: LambdaRequest): object
}

const host = 'media.example.com'
const sourceIp = '192.0.2.1'

function partsOf({ method = 'GET', target, headers = {}, body, isBase64 = false }: LambdaRequest) {
  const isBase64Encoded = isBase64 || body instanceof Uint8Array
  const encoded = typeof body === 'string' && !isBase64 ? body : Buffer.from(body ?? '').toString('base64')
  const url = new URL(target, `https://${host}`)
  return {
    method,
    path: url.pathname,
    query: url.searchParams,
    headers: { host, 'x-forwarded-proto': 'https', ...headers },
    payload: { body: body === undefined ? null : encoded, isBase64Encoded },
  }
}

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html */
const restApi: LambdaFront = {
  name: 'a REST API of API Gateway (payload 1.0)',
  origin: `https://${host}`,
  eventOf(request) {
    const { method, path, query, headers, payload } = partsOf(request)
    const byName = Object.groupBy([...query], ([name]) => name)
    return {
      resource: '/{proxy+}',
      path,
      httpMethod: method,
      headers,
      multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
      queryStringParameters: query.size > 0 ? Object.fromEntries(query) : null,
      multiValueQueryStringParameters:
        query.size > 0
          ? Object.fromEntries(
              Object.entries(byName).map(([name, pairs = []]) => [name, pairs.map(([, value]) => value)]),
            )
          : null,
      pathParameters: { proxy: path.slice(1) },
      stageVariables: null,
      requestContext: {
        resourcePath: '/{proxy+}',
        httpMethod: method,
        path: `/prod${path}`,
        stage: 'prod',
        domainName: host,
        identity: { sourceIp },
        requestId: 'request-1',
      },
      ...payload,
    }
  },
}

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html */
export const httpApi: LambdaFront = {
  name: 'an HTTP API of API Gateway or a function URL (payload 2.0)',
  origin: `https://${host}`,
  eventOf(request) {
    const { method, path, query, headers, payload } = partsOf(request)
    const { body, isBase64Encoded } = payload
    return {
      version: '2.0',
      routeKey: '$default',
      rawPath: path,
      rawQueryString: query.toString(),
      headers,
      ...(query.size > 0 && { queryStringParameters: Object.fromEntries(query) }),
      requestContext: {
        domainName: host,
        http: { method, path, protocol: 'HTTP/1.1', sourceIp, userAgent: 'test' },
        requestId: 'request-1',
        routeKey: '$default',
        stage: '$default',
      },
      ...(body !== null && { body }),
      isBase64Encoded,
    }
  },
}

/** https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html */
const loadBalancer: LambdaFront = {
  name: 'an Application Load Balancer',
  origin: `https://${host}`,
  eventOf(request) {
    const { method, path, query, headers, payload } = partsOf(request)
    return {
      requestContext: {
        elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:eu-west-1:1:targetgroup/media/1' },
      },
      httpMethod: method,
      path,
      queryStringParameters: Object.fromEntries(query),
      headers,
      body: payload.body ?? '',
      isBase64Encoded: payload.isBase64Encoded,
    }
  },
}

export const lambdaFronts: readonly LambdaFront[] = [restApi, httpApi, loadBalancer]

/** An answer as its client gets it. */
export function responseOf(answer: LambdaAnswer): Response {
  const { statusCode, headers = {}, multiValueHeaders = {}, body = '', isBase64Encoded } = answer
  const pairs = Object.entries({ ...headers, ...multiValueHeaders }).map(
    ([name, value]) => [name, String(value)] as [string, string],
  )
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
  return new Response(bytes.length > 0 ? bytes : null, { status: statusCode, headers: pairs })
}
