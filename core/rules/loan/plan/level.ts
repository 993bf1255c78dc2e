import { Decimal, type Exact, type Money } from '../../money.ts'

/** The equal installment that repays a balance in `count` periods of the same interest, unrounded: B·i ÷ (1 − (1 + i)^−n). */
export const plainLevel = (balance: Money, interest: Exact, count: number): Exact => {
  const amount = new Decimal(balance)
  if (interest.isZero()) return amount.div(count)
  return amount.times(interest).div(new Decimal(1).minus(interest.plus(1).pow(-count)))
}

/**
 * The equal installment over periods of different interest, unrounded: what is left of the balance after a balloon, discounted, over Σ of the
 * discount factors. With equal periods and no balloon it is {@link plainLevel}.
 */
export const exactLevel = (balance: Money, interests: readonly Exact[], balloon: Money = '0.00'): Exact => {
  let discount = new Decimal(1)
  let annuity = new Decimal(0)
  for (const interest of interests) {
    discount = discount.div(interest.plus(1))
    annuity = annuity.plus(discount)
  }
  return new Decimal(balance).minus(new Decimal(balloon).times(discount)).div(annuity)
}
