/** Lines of a 16 × 16 drawing for each system of the menu. */
const drawings: Readonly<Record<string, string>> = {
  'mkopo-portal-home': 'm2.5 7.5 5.5-5 5.5 5M4 6.5v7h8v-7',
  AuditSystem: 'M3.5 2.5h9v11h-9zM5.8 8l1.6 1.6 3-3.2',
  AfterLoanSystem: 'M1.8 4.5h12.4v7H1.8zM8 6.4a1.6 1.6 0 1 1 0 3.2 1.6 1.6 0 0 1 0-3.2',
  CollectionSystem: 'M4.8 2.5 6.5 6 5 7.3A8 8 0 0 0 8.7 11L10 9.5l3.5 1.7v2.3C7.5 14 2 8.5 2.5 2.5z',
  CollectionSystemNew: 'M4.8 2.5 6.5 6 5 7.3A8 8 0 0 0 8.7 11L10 9.5l3.5 1.7v2.3C7.5 14 2 8.5 2.5 2.5zM11 2v4M9 4h4',
  CustomerServiceSystem: 'M3 9V7.5a5 5 0 0 1 10 0V9M2.5 8.5h2v4h-2zM11.5 8.5h2v4h-2z',
  TelemarketingSystem: 'M2.5 6.5v3h2.5l5 3v-9l-5 3zM12 6a3 3 0 0 1 0 4',
  OperationSystem:
    'M2 4.5h7m4 0h1M2 11.5h1m4 0h7M11 2.8a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4M5 9.8a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4',
  MarketingManagement: 'M2.5 7.5v-5h5l6 6-5 5zM5 5h.1',
  MerchantSystem: 'M3 7v6.5h10V7M2 6l1-3.5h10L14 6zM6.5 13.5v-4h3v4',
  LoanSupermarketSystem: 'M1.5 3h2l1.8 7h7l1.4-5H4.2M6 13h.1M11.5 13h.1',
  RiskControlSystem: 'M8 2.2 13 4v4c0 3-2 5-5 6-3-1-5-3-5-6V4z',
  ReportSystem: 'M2.5 13.5h11M4.5 11V7.5M8 11V3.5M11.5 11V6',
  QualitySystem: 'M8 2.2a4.3 4.3 0 1 1 0 8.6 4.3 4.3 0 0 1 0-8.6M5.6 10 4.5 14 8 12.4l3.5 1.6-1.1-4',
  ScheduleManage: 'M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2.5v3M10.5 2.5v3',
  AppraisalSystem: 'm8 2.2 1.8 3.7 4 .6-2.9 2.8.7 4L8 11.4l-3.6 1.9.7-4L2.2 6.5l4-.6z',
  ChargeToAnAccountSystem: 'M3.5 2.5h9v11l-2.2-1.3L8 13.5l-2.3-1.3-2.2 1.3zM6 5.5h4M6 8h4',
  UserSystem:
    'M6 3a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5M1.5 13c.4-2.3 2.2-3.4 4.5-3.4s4.1 1.1 4.5 3.4M10.5 3.2a2.4 2.4 0 0 1 0 4.6M12 9.9c1.4.5 2.3 1.5 2.6 3.1',
}

/** What stands for a node of the menu where there is no room for its name: its drawing, else the first letter. */
export const MenuIcon = ({ menuNo, name }: { menuNo: string; name: string }) => {
  const path = drawings[menuNo]
  if (!path) return <b aria-hidden="true">{[...name][0]}</b>
  return (
    <svg className="mk-icon" width={18} height={18} viewBox="0 0 16 16" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}
