import { type Page, pathOf } from './pages.ts'

/** One page that is built: its address, its element, its read permission and the codes of its buttons. */
export type Route = Page & {
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
  path: pathOf(system, name),
  tag,
  perm,
  actions,
})

/** Every page that is built; the addresses of the others stand in planned-pages.ts. Portal routes, menu, elements, stories and docs follow from this table; a screen does not import it. */
export const routes: readonly Route[] = [
  route('Index', 'Login', 'mkopo-portal-login'),
  route('AdminContent', 'Home', 'mkopo-portal-home', null, [
    'view:share',
    'schedule:leave:audit',
    'embed:revoke',
    'user:resetMfa',
    'user:resetMfa:check',
  ]),
  route('AdminContent', 'WarningNotify', 'mkopo-portal-warning-notify', null, [
    'ops:job:run',
    'ops:outbox:requeue',
    'user:session:revoke',
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
    'audit:order:changePayout:check',
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
  route('AuditSystem', 'OrderManagementAbridgment', 'mkopo-audit-order-management-abridgment', 'audit:manage:short'),
  route('AuditSystem', 'AuditConfiguration', 'mkopo-audit-audit-configuration', 'audit:people:page', [
    'audit:people:config',
  ]),
  route('AfterLoanSystem', 'LoanManagement', 'mkopo-after-loan-loan-management', 'fund:payout:page', [
    'fund:payout:cancel',
    'fund:payout:retry',
    'fund:payout:recreate',
    'fund:payout:verify',
    'fund:payout:verify:check',
    'fund:payout:confirm',
    'fund:userInfo:update',
    'fund:userInfo:update:check',
    'fund:channel:update',
    'fund:cancelPay',
    'fund:cancelPay:check',
    'fund:payout:export',
    'fund:payout:import',
    'fund:payout:import:check',
    'fund:payout:bankFile',
    'fund:payout:bankFile:check',
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
    'repay:flow:commit:check',
    'repay:flow:void',
    'repay:flow:void:check',
    'postloan:rollback:full',
    'postloan:rollback:full:check',
    'repay:flow:export',
    'common:upload',
  ]),
  route('ChargeToAnAccountSystem', 'ClientRefundManagement', 'mkopo-charge-client-refund-management', 'refund:page', [
    'refund:submit',
    'refund:check',
    'refund:payout',
    'refund:export',
    'fund:payout:confirm',
    'common:upload',
  ]),
  route(
    'ChargeToAnAccountSystem',
    'ClientRefundAuditManagement',
    'mkopo-charge-client-refund-audit-management',
    'refund:audit:page',
    ['refund:check', 'refund:export', 'common:upload'],
  ),
  route(
    'OperationSystem',
    'AnnouncementManagement',
    'mkopo-operation-announcement-management',
    'ops:announcement:page',
    ['ops:announcement:save', 'ops:announcement:publish', 'common:upload'],
  ),
  route('OperationSystem', 'SensitiveWordConfig', 'mkopo-operation-sensitive-word-config', 'org:sensitiveWord:page', [
    'org:sensitiveWord:save',
    'org:sensitiveWord:enable',
    'org:sensitiveWord:delete',
    'org:sensitiveWord:import',
    'org:sensitiveWord:export',
    'common:upload',
  ]),
  route(
    'OperationSystem',
    'SensitiveInfoConfig',
    'mkopo-operation-sensitive-info-config',
    'operation:sensitiveInfo:page',
    [
      'operation:sensitiveInfo:save',
      'operation:sensitiveInfo:save:check',
      'operation:sensitiveInfo:log',
      'operation:sensitiveInfo:export',
    ],
  ),
  route(
    'OperationSystem',
    'OrganizationMerchantManagement',
    'mkopo-operation-organization-merchant-management',
    'org:merchant:page',
    [
      'org:merchant:add',
      'org:merchant:update',
      'org:merchant:enable',
      'org:merchant:enable:check',
      'org:merchant:delete',
      'org:withdrawal:condition',
      'org:filter',
      'common:upload',
    ],
  ),
  route(
    'OperationSystem',
    'VerificationCodeManagement',
    'mkopo-operation-verification-code-management',
    'operation:verifyCode:page',
    [
      'operation:verifyCode:resend',
      'operation:verifyCode:unlock',
      'operation:verifyCode:limits',
      'operation:verifyCode:limits:check',
    ],
  ),
  route(
    'OperationSystem',
    'CustomerServiceHotlineManagement',
    'mkopo-operation-customer-service-hotline-management',
    'org:customerConfig:page',
    ['org:customerConfig:save', 'org:customerConfig:enable', 'org:customerConfig:delete'],
  ),
  route('TelemarketingSystem', 'BaseTypeOption', 'mkopo-telemarketing-base-type-option', 'tele:baseType:page', [
    'tele:baseType:save',
    'tele:baseType:enable',
    'tele:baseType:delete',
  ]),
  route('UserSystem', 'RoleManagement', 'mkopo-user-role-management', 'role:page', [
    'role:manage',
    'role:manage:check',
    'user:update',
    'user:update:check',
    'log:audit:page',
  ]),
  route('UserSystem', 'UserManagement', 'mkopo-user-user-management', 'user:page', [
    'user:add',
    'user:update',
    'user:update:check',
    'user:batchUpdate',
    'user:freeze',
    'user:unfreeze',
    'user:unfreeze:check',
    'user:resetPwd',
    'user:appUserExpiry',
    'user:session:revoke',
    'user:export',
    'log:user:page',
  ]),
  route('UserSystem', 'DepartmentManagement', 'mkopo-user-department-management', 'dept:page', [
    'dept:save',
    'dept:delete',
    'user:page',
    'user:batchUpdate',
    'log:audit:page',
  ]),
  route('UserSystem', 'MultiLanguageConfiguration', 'mkopo-user-multi-language-configuration', 'language:page', [
    'language:save',
    'language:state',
    'language:default',
    'language:delete',
    'log:audit:page',
    'common:upload',
  ]),
  route('UserSystem', 'DataDictionary', 'mkopo-user-data-dictionary', 'dict:page', [
    'dict:save',
    'dict:enable',
    'dict:delete',
    'dict:cacheClear',
    'common:upload',
  ]),
  route(
    'MerchantSystem',
    'MaturityConfigManagement',
    'mkopo-merchant-maturity-config-management',
    'merchant:maturity:page',
    [
      'merchant:maturity:save',
      'merchant:maturity:save:check',
      'merchant:maturity:enable',
      'merchant:maturity:delete',
      'merchant:maturity:holiday',
      'merchant:maturity:holiday:check',
    ],
  ),
]

/** The route of an element's tag; undefined for a page that is not built. */
export const routeOf = (tag: string): Route | undefined => routes.find(r => r.tag === tag)
