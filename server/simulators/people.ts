import type { Application } from '../../core/contract/order/intake.ts'
import { familyNames, firstNames, handsets, places, works } from './people-data.ts'
import { between, chance, pick, type Random, randomOf } from './phone/random-of.ts'

type Customer = Application['customer']
const digits = (random: Random, length: number): string =>
  String(Math.floor(random() * 10 ** length)).padStart(length, '0')
const letters = (random: Random, length: number, alphabet: string): string =>
  Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('')

const genderOf = (phone: string): Customer['gender'] => (chance(randomOf(`gender ${phone}`), 0.46) ? 'female' : 'male')

/** Who a phone belongs to. The simulated network and the applications agree because both ask here. */
export const nameOf = (phone: string): string => {
  const random = randomOf(`name ${phone}`)
  const gender = genderOf(phone)
  return `${pick(random, firstNames[gender])} ${pick(random, familyNames[gender])}`
}

const mtn = ['25677', '25678', '25676'] as const

/**
 * The phone of the n-th person; no two below 300,000 have the same. Nine in ten end in digits for which the simulated
 * network behaves well; with `clean` all do.
 */
export const phoneOf = (n: number, clean = false): string => {
  const random = randomOf(`phone ${n}`)
  const middle = String(((n % 100_000) * 61_403 + 27_183) % 100_000).padStart(5, '0')
  const prefix = mtn[Math.floor(n / 100_000) % mtn.length]
  const end = `${between(random, 3, 9)}${between(random, 1, 8)}`
  return `${prefix}${middle}${!clean && chance(random, 0.1) ? digits(random, 2) : end}`
}

const idNumberOf = (random: Random, gender: Customer['gender'], birthDate: string): string =>
  `${gender === 'female' ? 'CF' : 'CM'}${birthDate.slice(2, 4)}${digits(random, 6)}${letters(random, 4, 'ABCDEFGHJKLMNPQRSTUVWXYZ')}`

const bornOf = (random: Random): string => {
  const year = 2026 - Math.floor(20 + 32 * random() ** 1.4)
  return `${year}-${String(between(random, 1, 12)).padStart(2, '0')}-${String(between(random, 1, 28)).padStart(2, '0')}`
}

/** When the person of a phone was born. */
export const birthDateOf = (phone: string): string => bornOf(randomOf(`person ${phone}`))

const bvnStart = '22'
/** The bank verification number of the person of a phone. */
export const bvnOf = (phone: string): string => `${bvnStart}${phone.slice(3)}`
/** The phone of the person whose number it is. */
export const phoneOfBvn = (bvn: string): string => `256${bvn.slice(bvnStart.length)}`

const customerOf = (phone: string): Omit<Customer, 'loanPurpose'> => {
  const random = randomOf(`person ${phone}`)
  const gender = genderOf(phone)
  const customerName = nameOf(phone)
  const birthDate = bornOf(random)
  const year = Number(birthDate.slice(0, 4))
  const occupation = pick(random, Object.keys(works) as Customer['occupation'][])
  const work = works[occupation]
  const settled = 2026 - year > 28
  const district = chance(random, 0.5) ? 'Kampala' : pick(random, Object.keys(places) as (keyof typeof places)[])
  const person = {
    customerName,
    idNumber: idNumberOf(random, gender, birthDate),
    phone,
    gender,
    birthDate,
    maritalStatus: settled
      ? pick(random, ['married', 'married', 'married', 'single', 'divorced', 'widowed'] as const)
      : pick(random, ['single', 'single', 'married'] as const),
    education: pick(random, ['primary', 'secondary', 'secondary', 'certificate', 'diploma', 'degree'] as const),
    childrenCount: settled ? between(random, 1, 6) : between(random, 0, 2),
    occupation,
    employerName: pick(random, work.employers),
    monthlyIncome: `${between(random, work.from / 50, work.to / 50) * 50}000.00`,
    payday: pick(random, [1, 5, 15, 25, 28, 30]),
    addressText: `Plot ${between(random, 1, 240)}, ${pick(random, places[district])}`,
    district,
    residenceType: pick(random, ['rented', 'rented', 'rented', 'owned', 'family', 'employer'] as const),
  }
  const email = `${customerName.toLowerCase().replace(' ', '.')}${between(random, 1, 99)}@gmail.com`
  return chance(random, 0.4) ? { ...person, email } : person
}

const deviceOf = (phone: string): Application['device'] => {
  const random = randomOf(`device ${phone}`)
  const [deviceModel, osVersion] = pick(random, handsets)
  return {
    deviceId: letters(random, 16, '0123456789abcdef'),
    deviceModel,
    osVersion: `Android ${osVersion}`,
    rooted: chance(random, 0.02),
    emulator: chance(random, 0.005),
    simCount: chance(random, 0.7) ? 2 : 1,
    ip: `102.8${between(random, 0, 5)}.${between(random, 0, 255)}.${between(random, 1, 254)}`,
    language: chance(random, 0.85) ? 'en' : 'sw',
  }
}

const contactsOf = (phone: string, married: boolean): Application['contacts'] => {
  const random = randomOf(`contacts ${phone}`)
  const relations = [
    married ? 'spouse' : 'parent',
    pick(random, ['sibling', 'friend'] as const),
    pick(random, ['colleague', 'other'] as const),
  ] as const
  return relations.slice(0, between(random, 2, 3)).map(relation => {
    const contactPhone = phoneOf(between(random, 100_000, 299_999))
    return { relation, contactName: nameOf(contactPhone), contactPhone }
  })
}

export type ApplicantOptions = {
  /** Whose application it is; the seed itself unless given. Repeat loans have new seeds and an old person. */
  person?: number
  /** When the application is made. */
  at?: string
  productNos?: readonly string[]
  /** Bounds in whole shillings; amounts are multiples of ten thousand. */
  minAmount?: number
  maxAmount?: number
  /** Only phones for which the simulated network behaves well. */
  clean?: boolean
}

/** A believable loan application, the same for the same seed and options. */
export const applicant = (seed: number, options: ApplicantOptions = {}): Application => {
  const {
    person = seed,
    at = '2026-11-02T06:00:00.000Z',
    productNos = ['P1'],
    minAmount = 50_000,
    maxAmount = 500_000,
  } = options
  const random = randomOf(`application ${seed}`)
  const phone = phoneOf(person, options.clean)
  const customer = customerOf(phone)
  const share = random() ** 1.6
  const loanAmount = Math.floor((minAmount + share * (maxAmount - minAmount)) / 10_000) * 10_000
  const agreed = (kind: Application['consents'][number]['consentKind'], secondsBefore: number) => ({
    consentKind: kind,
    consentTime: new Date(Date.parse(at) - secondsBefore * 1000).toISOString(),
  })
  return {
    thirdOrderNo: `T${String(seed).padStart(8, '0')}`,
    productNo: pick(random, productNos),
    loanAmount: `${Math.max(loanAmount, minAmount)}.00`,
    customer: {
      ...customer,
      loanPurpose: pick(random, [
        'business',
        'business',
        'school_fees',
        'medical',
        'rent',
        'farming',
        'emergency',
        'other',
      ] as const),
    },
    payout: { payoutType: 'wallet', payoutSubtype: 'mtn', walletAccount: phone, cardholderName: customer.customerName },
    contacts: contactsOf(phone, customer.maritalStatus === 'married'),
    device: deviceOf(phone),
    consents: [agreed('contacts', 240), agreed('location', 230), agreed('device', 220), agreed('credit_bureau', 90)],
    incomingChannel: pick(random, ['app', 'app', 'app', 'ussd', 'partner']),
    promotionChannel: pick(random, ['organic', 'organic', 'facebook', 'google', 'agent', 'referral']),
  }
}
