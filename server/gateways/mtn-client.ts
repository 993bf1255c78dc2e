import { type ClientOptions, tokenClient } from './http-client.ts'

/** Access to one country environment of the MTN MoMo Open API; each product has its own subscription key. */
export type MtnConfig = {
  baseUrl: string
  subscriptionKey: string
  apiUser: string
  apiKey: string
  targetEnvironment: string
  callbackUrl: string
}

/** Headers of a request that moves money. */
export const requestHeaders = (ref: string, { callbackUrl }: MtnConfig): Record<string, string> => ({
  'X-Reference-Id': ref,
  ...(callbackUrl ? { 'X-Callback-Url': callbackUrl } : {}),
})

/** Calls of one product, with its token. */
export const mtnClient = (product: 'disbursement' | 'collection', config: MtnConfig, options: ClientOptions = {}) => {
  const key = { 'Ocp-Apim-Subscription-Key': config.subscriptionKey }
  const basic = Buffer.from(`${config.apiUser}:${config.apiKey}`).toString('base64')
  return tokenClient(
    {
      baseUrl: config.baseUrl,
      prefix: `/${product}/v1_0`,
      headers: { ...key, 'X-Target-Environment': config.targetEnvironment },
      token: {
        path: `/${product}/token/`,
        init: { method: 'POST', headers: { Authorization: `Basic ${basic}`, ...key } },
      },
    },
    options,
  )
}
