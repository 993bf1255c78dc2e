import { add, isZero, type Money, sum, zeroMoney } from '../money.ts'

/** What a bill is made of, in the default order in which a payment is allocated. */
export const components = [
  'lateFee',
  'liquidatedDamages',
  'serviceFee',
  'managementFee',
  'interest',
  'principal',
] as const
/** One component of a bill. */
export type Component = (typeof components)[number]
/** What is charged for being late; all else stands in the contract's schedule. */
export const penaltyComponents = ['lateFee', 'liquidatedDamages'] as const satisfies Component[]
/** Components that the contract fixes; the others are penalties for paying late. */
export const contractComponents = [
  'serviceFee',
  'managementFee',
  'interest',
  'principal',
] as const satisfies Component[]

/** One amount per component. */
export type Amounts = Record<Component, Money>

/** An amount of one component of one bill: the unit in which money is allocated and posted. */
export type Line = { billNo: string; component: Component; amount: Money }

const each = (value: (component: Component) => Money): Amounts =>
  Object.fromEntries(components.map(component => [component, value(component)])) as Amounts

/** 0.00 of every component. */
export const zero = (): Amounts => each(() => zeroMoney)
/** All six components from the ones that are not zero. */
export const amounts = (some: Partial<Amounts>): Amounts => ({ ...zero(), ...some })
/** Adds component by component. */
export const addAmounts = (a: Amounts, b: Amounts): Amounts => each(component => add(a[component], b[component]))
/** Changes each component by itself. */
export const mapAmounts = (a: Amounts, change: (amount: Money, component: Component) => Money): Amounts =>
  each(component => change(a[component], component))
/** Adds any number of amounts component by component. */
export const sumAmounts = (all: Iterable<Amounts>): Amounts => [...all].reduce(addAmounts, zero())
/** The sum of components: all of them, or those named. */
export const totalOf = (a: Amounts, of: readonly Component[] = components): Money =>
  sum(of.map(component => a[component]))
/** Whether every component is 0.00. */
export const isNothing = (a: Amounts): boolean => components.every(component => isZero(a[component]))
/** Lines of any bills, added up per component. */
export const amountsOf = (lines: readonly Line[]): Amounts =>
  each(component => sum(lines.filter(line => line.component === component).map(line => line.amount)))
