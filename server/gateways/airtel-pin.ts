import { constants, createPublicKey, type KeyObject, publicEncrypt } from 'node:crypto'

const pem = (key: string): string =>
  key.includes('-----BEGIN') ? key : `-----BEGIN PUBLIC KEY-----\n${key.replace(/\s/g, '')}\n-----END PUBLIC KEY-----\n`

/** The network's key for what only it may read. Throws when it is no RSA key. */
export const airtelKey = (key: string): KeyObject => {
  const read = createPublicKey(pem(key))
  if (read.asymmetricKeyType !== 'rsa') throw new TypeError('the key of Airtel Money must be an RSA key')
  return read
}

/** The PIN as the network wants it: RSA with PKCS #1 padding, in Base64; never twice the same. */
export const encryptPin = (key: KeyObject, pin: string): string =>
  publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(pin)).toString('base64')
