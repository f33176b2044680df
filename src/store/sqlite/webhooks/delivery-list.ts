import type { DatabaseSync } from 'node:sqlite';
import { type ListPart, type ListPlace, listPart } from '../database/list-part.ts';
import type { EventType } from './event-record.ts';
import type { Delivery, DeliveryStatus } from './webhook-record.ts';

interface DeliveryTableRow {
  seq: number;
  event_id: string;
  type: EventType;
  status: DeliveryStatus;
  attempts: number;
  next_at: number | null;
  response_status: number | null;
  error: string | null;
  created_at: number;
  attempted_at: number | null;
}

export function createDeliveryList(db: DatabaseSync) {
  const selectPart = db.prepare(
    `SELECT deliveries.*, events.id AS event_id, events.type
     FROM deliveries JOIN events ON events.seq = deliveries.event
     WHERE webhook = (SELECT seq FROM webhooks WHERE id = ?) AND deliveries.seq < ?
     ORDER BY deliveries.seq DESC LIMIT ?`,
  );
  const selectOne = db.prepare(
    `SELECT deliveries.*, events.id AS event_id, events.type
     FROM events JOIN deliveries ON deliveries.event = events.seq
     WHERE webhook = (SELECT seq FROM webhooks WHERE id = ?) AND events.id = ?`,
  );
  const count = db.prepare(
    `SELECT count(*) AS total FROM deliveries
     WHERE webhook = (SELECT seq FROM webhooks WHERE id = ?)`,
  );
  return {
    listDeliveryPart(webhookId: string, place: ListPlace): ListPart<Delivery> {
      const read = (beforeSeq: number, limit: number) =>
        selectPart.all(webhookId, beforeSeq, limit);
      const total = Number(count.get(webhookId)?.total);
      return listPart(place, read, total, deliveryFromRow);
    },
    findDelivery(webhookId: string, eventId: string): Delivery | undefined {
      const row = selectOne.get(webhookId, eventId);
      return row && deliveryFromRow(row as unknown as DeliveryTableRow);
    },
  };
}

function deliveryFromRow(row: DeliveryTableRow): Delivery {
  return {
    eventId: row.event_id,
    type: row.type,
    status: row.status,
    attempts: row.attempts,
    responseStatus: row.response_status,
    error: row.error,
    createdAt: new Date(row.created_at).toISOString(),
    lastAttemptAt: isoOrNull(row.attempted_at),
    nextAttemptAt: isoOrNull(row.next_at),
  };
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
