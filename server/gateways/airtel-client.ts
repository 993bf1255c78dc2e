import { type ClientOptions, tokenClient } from './http-client.ts'

/** Access to Airtel Money of one country. */
export type AirtelConfig = {
  baseUrl: string
  clientId: string
  clientSecret: string
  /** Lets money leave our account; it only ever leaves this process encrypted. */
  pin: string
  /** The network's RSA key: PEM, or what stands between its lines. */
  publicKey: string
  /** Key of the network's callbacks; undefined where their authentication is not switched on. */
  callbackKey?: string
}

/** Calls with the token of the whole application; its life can be minutes. */
export const airtelClient = ({ baseUrl, clientId, clientSecret }: AirtelConfig, options: ClientOptions = {}) =>
  tokenClient(
    {
      baseUrl,
      prefix: '',
      headers: { Accept: '*/*', 'X-Country': 'UG', 'X-Currency': 'UGX' },
      token: {
        path: '/auth/oauth2/token',
        init: {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({
            client_id: clientId,
            client_secret: clientSecret,
            grant_type: 'client_credentials',
          }),
        },
      },
    },
    options,
  )

/** Airtel speaks of subscribers without the code of the country. */
export const msisdnOf = (phone: string): string => phone.replace(/^256/, '')
/** A phone number of ours (256…) from the nine digits that Airtel speaks of. */
export const phoneOf = (msisdn: string): string => (/^\d{9}$/.test(msisdn) ? `256${msisdn}` : msisdn)
