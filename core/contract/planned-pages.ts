import { type Page, pathOf } from './pages.ts'

/** Pages that are known but not built, by system, with the prefix of their elements. A page leaves this table when its route is declared. */
const planned: Record<string, { prefix: string; pages: string }> = {
  CollectionSystem: {
    prefix: 'collection',
    pages: `
      MyCollection CaseAllocation CancelAfterVerificationManagement OutCollectionList BadDebtManagement
      CollectionPersonnel DeductionAmountManagement RollbackFlow RoboticTask CollectionPersonnelMonitoring
      repaymentDetails PreReminderCaseDivisionPolicy CollectLevelDevisionPolicy`,
  },
  CollectionSystemNew: {
    prefix: 'collection-new',
    pages: `
      MyCollectionNew CancelAfterVerificationManagementNew DeductionAmountManagementNew CaseAllocationNew
      OutCollectionListNew BadDebtManagementNew CollectionPersonnelNew RollbackFlowNew RoboticTaskNew
      RepaymentDetailsNew PenaltyInterestReductionStrategiesNew`,
  },
  ReportSystem: {
    prefix: 'report',
    pages: `
      FinancialReport OperationReport CollectionReport ApprovalReport PerformanceReport`,
  },
  OperationSystem: {
    prefix: 'operation',
    pages: `
      TrafficPersonnel MessageCenterAppManagement
      `,
  },
  MerchantSystem: {
    prefix: 'merchant',
    pages: `
      OrderAcquireManagement
      `,
  },
  TelemarketingSystem: {
    prefix: 'telemarketing',
    pages: `
      ListLibraryManagement AbandonedListLibraryManagement ImportRecord DialTask MyIncoming MyLoan
      TelemarketingPersonnel RoboticTask InboundOrderConfig `,
  },
  MarketingManagement: {
    prefix: 'marketing',
    pages: `
      SmsMarketingTask RoboticTask`,
  },
  CustomerServiceSystem: {
    prefix: 'service',
    pages: `
      ListLibraryManage CallingAssignments CustomerServiceStaff Feedback CustomerFeedback CustomerInCallRecord
      CustomerManage AiHelpUidDecrypt`,
  },
  AppraisalSystem: { prefix: 'appraisal', pages: 'EmployeeDisciplineData' },
  QualitySystem: { prefix: 'quality', pages: 'QualityCenter' },
  ScheduleManage: { prefix: 'schedule', pages: 'ScheduleCaseManage SchedulePlan MySchedule ScheduleAbnormalThreshold' },
}

const kebab = (name: string) => name.replace(/(?<!^)(?=[A-Z])/g, '-').toLowerCase()

/** Addresses of the console whose screen is not built: the guard knows them, the menu does not offer them. */
export const plannedPages: readonly Page[] = Object.entries(planned).flatMap(([system, { prefix, pages }]) =>
  pages
    .trim()
    .split(/\s+/)
    .map((name): Page => ({ system, name, path: pathOf(system, name), tag: `mkopo-${prefix}-${kebab(name)}` })),
)
