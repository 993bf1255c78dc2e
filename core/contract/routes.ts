/** One page of the console: its address, its element, its read permission and the codes of its buttons. */
export type Route = {
  system: string
  name: string
  path: string
  tag: `mkopo-${string}`
  /** Read code; null for pages that every signed-in user may open. */
  perm: string | null
  /** Codes of the page's buttons; each is a node below it in the menu tree. */
  actions: readonly string[]
}

const route = (
  system: string,
  name: string,
  tag: Route['tag'],
  perm: string | null = null,
  actions: readonly string[] = [],
): Route => ({
  system,
  name,
  path:
    system === 'Index'
      ? `/Index/${name}`
      : system === 'AdminContent'
        ? `/AdminContent/${name}`
        : `/AdminContent/${system}/${name}`,
  tag,
  perm,
  actions,
})

/** Every page there is. Portal routes, menu, elements, stories and docs follow from this table. */
export const routes: readonly Route[] = [
  route('Index', 'Login', 'mkopo-portal-login'),
  route('AdminContent', 'Home', 'mkopo-portal-home', null, [
    'view:share',
    'schedule:leave:audit',
    'embed:revoke',
    'user:resetMfa',
    'user:resetMfa:check',
  ]),
  route('OrderDetailAudit', 'OrderDetail', 'mkopo-order-order-detail', 'order:detail:view', [
    'log:audit:page',
    'common:upload',
    'common:attach',
    'common:attach:delete',
  ]),
  route('OrderDetailAudit', 'OrderAudit', 'mkopo-order-order-audit', 'order:detail:view', [
    'audit:order:handle',
    'audit:order:handleAny',
    'audit:order:changePayout',
  ]),
  route('AuditSystem', 'OrderAllocation', 'mkopo-audit-order-allocation', 'audit:allot:page', [
    'audit:order:allot',
    'audit:order:forceAllot',
    'audit:order:export',
  ]),
  route('AuditSystem', 'MyAudit', 'mkopo-audit-my-audit', 'audit:self:page', ['audit:order:handle']),
  route('AuditSystem', 'OrderManagement', 'mkopo-audit-order-management', 'audit:manage:page', [
    'audit:order:cancel',
    'audit:order:export',
  ]),
  route('AfterLoanSystem', 'LoanManagement', 'mkopo-after-loan-loan-management', 'fund:payout:page', [
    'fund:payout:cancel',
    'fund:payout:retry',
    'fund:payout:recreate',
    'fund:payout:verify',
    'fund:payout:confirm',
    'fund:userInfo:update',
    'fund:channel:update',
    'fund:cancelPay',
    'fund:cancelPay:check',
    'fund:payout:export',
    'fund:payout:import',
    'fund:payout:import:check',
    'fund:payout:bankFile',
    'fund:recon:page',
    'fund:recon:handle',
    'common:upload',
  ]),
  route('AfterLoanSystem', 'RepaymentManagement', 'mkopo-after-loan-repayment-management', 'repay:order:page', [
    'postloan:repay:commit',
    'repay:settle:small',
    'repay:flow:list',
    'repay:flow:save',
    'repay:flow:commit',
    'repay:flow:void',
    'repay:flow:void:check',
    'postloan:rollback:full',
    'postloan:rollback:full:check',
    'repay:flow:export',
  ]),
]

/** Open to every signed-in user; the server still refuses records outside the data rules. */
export const alwaysAllowed: readonly string[] = ['Home', 'OrderDetail', 'WarningNotify', 'OrderAudit']

export const loginPath = '/Index/Login'
export const homePath = '/AdminContent/Home'
export const routeOf = (tag: string): Route | undefined => routes.find(r => r.tag === tag)
