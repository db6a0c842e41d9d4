/**
 * Keeps formatting tags, links and text. Runs in linear time: HTML nested deeper than 512 levels or with more
 * than 20 000 nodes is returned as escaped source text.
 */
export declare function sanitizeHtml(html: string): string
//# sourceMappingURL=sanitize-html.d.ts.map
