import { describe, expect, it } from 'vitest'
import { Application } from '../../core/contract/order/intake.ts'
import { applicant, nameOf, phoneOf } from './people.ts'

const many = Array.from({ length: 3000 }, (_, seed) => applicant(seed))

describe('an applicant', () => {
  it('is the same for the same seed', () => {
    expect(applicant(7)).toEqual(applicant(7))
    expect(applicant(7)).not.toEqual(applicant(8))
  })

  it('sends what the intake accepts', () => {
    for (const one of many) expect(Application.parse(one)).toEqual(one)
  })

  it('is nobody else', () => {
    for (const key of ['phone', 'idNumber'] as const)
      expect(new Set(many.map(one => one.customer[key])).size).toBe(many.length)
    expect(new Set(many.map(one => one.thirdOrderNo)).size).toBe(many.length)
    expect(new Set(Array.from({ length: 300_000 }, (_, n) => phoneOf(n))).size).toBe(300_000)
  })

  it('has an MTN number, an ID that fits sex and birth, and the name that the network knows', () => {
    for (const { customer, payout } of many) {
      expect(customer.phone).toMatch(/^2567[678]\d{7}$/)
      expect(customer.idNumber.slice(0, 4)).toBe(
        `${customer.gender === 'female' ? 'CF' : 'CM'}${customer.birthDate.slice(2, 4)}`,
      )
      expect(payout).toEqual({
        payoutType: 'wallet',
        payoutSubtype: 'mtn',
        walletAccount: customer.phone,
        cardholderName: nameOf(customer.phone),
      })
    }
  })

  it('is of age and asks for a round amount within the bounds', () => {
    for (const { customer, loanAmount } of many) {
      expect(Number(customer.birthDate.slice(0, 4))).toBeLessThanOrEqual(2006)
      expect(Number(loanAmount) % 10_000).toBe(0)
      expect(Number(loanAmount)).toBeGreaterThanOrEqual(50_000)
      expect(Number(loanAmount)).toBeLessThanOrEqual(500_000)
    }
  })

  it('gives contacts of other phones', () => {
    for (const { customer, contacts } of many) {
      expect(contacts.length).toBeGreaterThanOrEqual(2)
      expect(contacts.map(contact => contact.contactPhone)).not.toContain(customer.phone)
    }
  })

  it('comes back for another loan as the same person', () => {
    const again = applicant(9001, {
      person: 12,
      at: '2026-11-19T09:00:00.000Z',
      productNos: ['P7'],
      minAmount: 100_000,
      maxAmount: 100_000,
    })
    expect({ ...again.customer, loanPurpose: '' }).toEqual({ ...applicant(12).customer, loanPurpose: '' })
    expect(again).toMatchObject({ thirdOrderNo: 'T00009001', productNo: 'P7', loanAmount: '100000.00' })
    for (const { consentTime } of again.consents) expect(consentTime < '2026-11-19T09:00:00.000Z').toBe(true)
  })

  it('is mostly one for whom the network behaves well, and always on demand', () => {
    const wellBehaved = (phone: string) => Number(phone.slice(-2)) > 28 && !/[09]$/.test(phone)
    const share = many.filter(one => wellBehaved(one.customer.phone)).length / many.length
    expect(share).toBeGreaterThan(0.9)
    expect(share).toBeLessThan(0.99)
    for (let n = 0; n < 1000; n += 1) expect(wellBehaved(applicant(n, { clean: true }).customer.phone)).toBe(true)
  })

  it('is one of many', () => {
    const kinds = (
      key: 'district' | 'occupation' | 'maritalStatus' | 'education' | 'residenceType' | 'gender' | 'loanPurpose',
    ) => new Set(many.map(one => one.customer[key])).size
    expect(kinds('district')).toBe(12)
    expect(kinds('occupation')).toBe(10)
    expect([
      kinds('gender'),
      kinds('maritalStatus'),
      kinds('education'),
      kinds('residenceType'),
      kinds('loanPurpose'),
    ]).toEqual([2, 4, 5, 4, 7])
    expect(new Set(many.map(one => one.customer.customerName)).size).toBeGreaterThan(700)
  })
})
