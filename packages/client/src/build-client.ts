import { hostTokens } from './access-tokens.ts'
import type {
  Activity,
  ActivityQuery,
  ArchiveLink,
  CalendarFeed,
  CompanyUpsert,
  DealUpsert,
  ExampleRemoval,
  Examples,
  List,
  Me,
  MeChanges,
  NewCompanyBulkChange,
  NewDealBulkChange,
  NewPersonBulkChange,
  NewProductBulkChange,
  NewTaskBulkChange,
  PersonUpsert,
  Product,
  ProductQuery,
  ProductUpsert,
  SearchQuery,
  SearchResults,
  Tag,
  Task,
  TaskQuery,
  ViewCount,
  Workspace,
  WorkspaceChanges,
} from './api-types.ts'
import {
  type BulkCall,
  type BulkChangeCollection,
  createBulkCall,
  createBulkChangeCollection,
} from './bulk-calls.ts'
import type { CallOptions } from './call-options.ts'
import type { ClientSettings } from './client-options.ts'
import { createExportCall, type ExportCall } from './export-call.ts'
import { HttpClient } from './http-client.ts'
import { createImportCollection, type ImportCollection } from './import-collection.ts'
import { createLineItemCollection, type LineItemCollection } from './line-item-calls.ts'
import { createMemberCollection, type MemberCollection } from './member-collection.ts'
import {
  createFollowCalls,
  createNotificationCollection,
  type FollowCalls,
  type FollowingCollection,
  type NotificationCollection,
} from './notification-calls.ts'
import { createOfferCollection, type OfferCollection } from './offer-calls.ts'
import { RecordCalls } from './record-calls.ts'
import { createCollection, type RecordCollection } from './record-collection.ts'
import { type AllRecordTypes, RESOURCES } from './record-types.ts'
import { refreshedTokens } from './refreshed-tokens.ts'
import { createReportCalls, type PipelineCollection, type ReportCalls, withBoard } from './report-calls.ts'
import type { Runtime } from './runtime.ts'
import { createSalesCollection, type SalesCollection } from './sales-collection.ts'
import { createShareCalls, type ShareCalls } from './share-calls.ts'
import { createWebhookCollection, type WebhookCollection } from './webhook-collection.ts'
import { type BatchCall, createBatchCall, createWriteCalls, type WriteCalls } from './write-calls.ts'

type RecordCollections = {
  readonly [Name in keyof AllRecordTypes]: RecordCollection<AllRecordTypes[Name]>
}

/** A client of one workspace. Later versions add members to it. */
export interface CrmClient
  extends Omit<
    RecordCollections,
    | 'people'
    | 'companies'
    | 'deals'
    | 'pipelines'
    | 'products'
    | 'tasks'
    | 'activities'
    | 'tags'
    | 'lists'
    | 'views'
  > {
  /** People, with their timelines. Scopes `people:read` and `people:write`. */
  readonly people: SalesCollection<AllRecordTypes['people'], PersonUpsert, NewPersonBulkChange>
  /** Companies, with their timelines. Scopes `companies:read` and `companies:write`. */
  readonly companies: SalesCollection<AllRecordTypes['companies'], CompanyUpsert, NewCompanyBulkChange>
  /** Deals, with their timelines. Scopes `deals:read` and `deals:write`. */
  readonly deals: SalesCollection<AllRecordTypes['deals'], DealUpsert, NewDealBulkChange> & {
    /** What a deal sells, line by line. */
    readonly items: LineItemCollection
    /** What was offered, as documents with links for customers. */
    readonly offers: OfferCollection
  }
  /** Products. Scopes `products:read` and `products:write`. */
  readonly products: RecordCollections['products'] &
    BulkCall<NewProductBulkChange> &
    WriteCalls<ProductUpsert, Product> &
    ExportCall<ProductQuery, Product>
  /** Tasks. Scopes `tasks:read` and `tasks:write`. */
  readonly tasks: RecordCollections['tasks'] &
    BatchCall<Task> &
    BulkCall<NewTaskBulkChange> &
    ExportCall<TaskQuery, Task> &
    ShareCalls &
    FollowCalls
  /** Activities. Scopes `activities:read` and `activities:write`. `list` requires `entity` and `id`. */
  readonly activities: RecordCollections['activities'] &
    BatchCall<Activity> &
    ExportCall<ActivityQuery, Activity>
  /** Tags. Scopes `tags:read` and `tags:write`. Instead of an id, the methods accept a key. */
  readonly tags: RecordCollections['tags'] & BatchCall<Tag>
  /** Lists of people, companies and deals. Scopes `lists:read` and `lists:write`. */
  readonly lists: RecordCollections['lists'] & BatchCall<List>
  /** Saved filters, orders and columns. Scopes `views:read` and `views:write`. */
  readonly views: RecordCollections['views'] & {
    /** Counts the records of the first 20 views by name, as the caller sees them. */
    counts(options?: CallOptions): Promise<ViewCount[]>
  }
  /** Pipelines, with their boards. Scopes `deals:read` and `deals:write`. */
  readonly pipelines: PipelineCollection
  /** Counts, sums and forecasts over many records. */
  readonly reports: ReportCalls
  /** Webhooks that the app created, and their deliveries. Scope `webhooks:manage`. */
  readonly webhooks: WebhookCollection
  /** Members of the workspace, and the invitations to it. Scopes `members:read` and `members:manage`. */
  readonly members: MemberCollection
  /** What the member of the token is told. Any scope. */
  readonly notifications: NotificationCollection
  readonly following: FollowingCollection
  /** Files whose rows become records. Scopes `imports:read` and `imports:write`. */
  readonly imports: ImportCollection
  /** Changes of all records that matched, in the background. Scope: the `:write` scope of their kind. */
  readonly bulkChanges: BulkChangeCollection
  /** The workspace of the token. Any scope; `update` is for an owner, with the scope `workspace:manage`. */
  readonly workspace: {
    get(options?: CallOptions): Promise<Workspace>
    update(changes: WorkspaceChanges, options?: CallOptions): Promise<Workspace>
    /**
     * Returns a link to everything of the workspace as a file, valid for a day. For an owner, with the scope
     * `workspace:manage` and every scope that ends with `:read`.
     */
    createArchiveLink(options?: CallOptions): Promise<ArchiveLink>
    /** Example records. Scope `workspace:manage`, for owners and admins. */
    readonly examples: {
      create(options?: CallOptions): Promise<Examples>
      /** Keeps those that somebody changed or linked, and returns them. */
      remove(options?: CallOptions): Promise<ExampleRemoval>
    }
  }
  /** The member who granted the token, with role and scopes. Any scope. */
  readonly me: {
    get(options?: CallOptions): Promise<Me>
    /** Changes how the member is told things. For tokens of the console. */
    update(changes: MeChanges, options?: CallOptions): Promise<Me>
    /** Makes the address of the member's calendar, which ends a former one. For tokens of the console. */
    createCalendarFeed(options?: CallOptions): Promise<CalendarFeed>
    /** Ends the address of the calendar. For tokens of the console. */
    removeCalendarFeed(options?: CallOptions): Promise<void>
  }
  /** Searches people, companies, deals and products at once. Scope: that of at least one kind. */
  search(query: SearchQuery, options?: CallOptions): Promise<SearchResults>
}

export function buildClient({ auth, ...settings }: ClientSettings, runtime: Runtime): CrmClient {
  const http = new HttpClient(settings, runtime)
  const tokens = auth && ('token' in auth ? hostTokens(auth.token) : refreshedTokens(http, auth, runtime))
  const calls = new RecordCalls(http, tokens)
  const collections = Object.fromEntries(
    Object.entries(RESOURCES).map(([name, resource]) => [name, createCollection(calls, resource)]),
  ) as RecordCollections
  return {
    ...collections,
    people: createSalesCollection(collections.people, calls, RESOURCES.people),
    companies: createSalesCollection(collections.companies, calls, RESOURCES.companies),
    deals: {
      ...createSalesCollection<AllRecordTypes['deals'], DealUpsert, NewDealBulkChange>(
        collections.deals,
        calls,
        RESOURCES.deals,
      ),
      items: createLineItemCollection(calls),
      offers: createOfferCollection(calls),
    },
    products: {
      ...collections.products,
      ...createWriteCalls(calls, RESOURCES.products.path),
      ...createBulkCall(calls, RESOURCES.products.path),
      ...createExportCall(calls, RESOURCES.products.path),
    },
    tasks: {
      ...collections.tasks,
      ...createBatchCall(calls, RESOURCES.tasks.path),
      ...createBulkCall(calls, RESOURCES.tasks.path),
      ...createExportCall(calls, RESOURCES.tasks.path),
      ...createShareCalls(calls, RESOURCES.tasks.path),
      ...createFollowCalls(calls, RESOURCES.tasks.path),
    },
    activities: {
      ...collections.activities,
      ...createBatchCall(calls, RESOURCES.activities.path),
      ...createExportCall(calls, RESOURCES.activities.path),
    },
    tags: { ...collections.tags, ...createBatchCall(calls, RESOURCES.tags.path) },
    lists: { ...collections.lists, ...createBatchCall(calls, RESOURCES.lists.path) },
    views: { ...collections.views, counts: (options) => calls.get('views/counts', options) },
    pipelines: withBoard(collections.pipelines, calls),
    reports: createReportCalls(calls),
    webhooks: createWebhookCollection(calls),
    members: createMemberCollection(calls),
    notifications: createNotificationCollection(calls),
    following: { list: (query, options) => calls.list('following', query, options) },
    imports: createImportCollection(calls, runtime),
    bulkChanges: createBulkChangeCollection(calls),
    workspace: {
      get: (options) => calls.get('workspace', options),
      update: async (changes, options) => calls.patch('workspace', changes, options, { isRepeatable: true }),
      createArchiveLink: async (options) =>
        calls.post('workspace/archive-link', {}, options, undefined, true),
      examples: {
        create: async (options) => calls.post('workspace/examples', {}, options),
        remove: (options) => calls.deleteForResult('workspace/examples', options),
      },
    },
    me: {
      get: (options) => calls.get('me', options),
      update: async (changes, options) => calls.patch('me', changes, options, { isRepeatable: true }),
      createCalendarFeed: (options) => calls.post('me/calendar-feed', {}, options),
      removeCalendarFeed: (options) => calls.delete('me/calendar-feed', options),
    },
    search: (query, options) => calls.get('search', options, query),
  }
}
