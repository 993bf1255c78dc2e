/** An account with the operator of MTN's mobile money. */
export type Momo = {
  baseUrl: string
  subscriptionKey: string
  apiUser: string
  apiKey: string
  /** Where the provider reaches this server. */
  callbackHost: string
  targetEnvironment: string
}

export type Airtel = {
  baseUrl: string
  clientId: string
  clientSecret: string
  /** Lets money leave our account. */
  pin: string
  /** The provider's RSA key, which the PIN is encrypted with. */
  publicKey: string
  /** Key of signed callbacks; undefined where the provider does not sign them. */
  callbackKey?: string
}

/** The service of the banks that knows who holds a verification number. */
export type BvnConfig = { baseUrl: string; apiKey: string }

/** The vendor of airtime for the staff. */
export type AirtimeAccess = { baseUrl: string; apiKey: string }

/** A mail server that takes letters from us. */
export type SmtpConfig = { url: string; from: string }

/** An account with a vendor of text messages. */
export type SmsConfig = {
  accountNo: string
  vendorName: string
  baseUrl: string
  username: string
  apiKey: string
  senderId: string
  /** Part of the address to which reports come; without it none are taken. */
  reportSecret?: string
}
