/** A route that a plugin adds to the /v1 interface. It has the limits, the errors and the headers of all routes. */
export interface PluginRoute {
  /** The method that the route answers. GET answers HEAD too. */
  readonly method: 'DELETE' | 'GET' | 'POST'
  /** The path below the mount, such as `/v1/audit/:id`: `:id` is one segment. A path of the interface itself comes first. */
  readonly path: string
  /**
   * Answers a request of an owner, whose key has been checked. Not called for other methods, which are answered with 405.
   * @throws GenerationError to refuse the request. Other errors answer it as `internal_error`
   */
  answer(request: PluginRequest): Promise<PluginReply>
  /**
   * Knows the keys of this route, for a route that no client may use. Only a bearer token opens it, no cookie. A key of the app's
   * `authenticate` is refused with 403 `operator_only`. Its requests do not count in the limits of clients. All routes of one path
   * need the same function, which also answers for all paths below at which nothing is.
   * @returns whose token this is, which the request has as its `owner`; nothing for another token
   * @default the keys of the app open the route
   */
  readonly authenticate?: RouteKeys | undefined
  /**
   * The operation object of the route for the OpenAPI 3.1 document, which adds the errors of every route with a key. Called
   * once, when a client first asks for it.
   * @default the document does not show the route
   */
  readonly operation?: (() => object) | undefined
}

/** Knows the keys of a route: returns whose token this is, and nothing for another token. `apiKeys` makes such a function. */
export type RouteKeys = (
  token: string,
) => KeyHolder | null | undefined | Promise<KeyHolder | null | undefined>

/** Whose key it is. */
export interface KeyHolder {
  /** The name of the holder. */
  readonly owner: string
}

/** A request for a route of a plugin. */
export interface PluginRequest {
  /** The owner of the bearer token. For a route with `authenticate`, whom that has returned. */
  readonly owner: string
  /** The segments that the path names, decoded. One in which a letter or a digit is encoded without need stays as it was sent. */
  readonly params: Readonly<Record<string, string>>
  /** The query, decoded. */
  readonly query: URLSearchParams
  /** The public address of the place where the interface is mounted, without a slash at its end. */
  readonly baseUrl: string
  /** @returns the value of a header. The name is in lower case */
  header(name: string): string | undefined
  /**
   * Reads the body, which must be JSON, within the limits of the interface.
   * @throws GenerationError that says what is wrong with the body
   */
  json(): Promise<unknown>
}

/** The answer of a route of a plugin. */
export interface PluginReply {
  /** @default 200, or 204 without a body */
  readonly status?: number | undefined
  /** Headers by their names in lower case. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The body, a JSON value. @default no body */
  readonly json?: unknown
  /** The body as a text, in place of `json`. `headers` then say its `content-type`. @default no body */
  readonly text?: string | undefined
}
