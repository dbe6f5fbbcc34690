namespace Wire.Amqp.V091;

/// <summary>The identifier of a method: the class's number in the upper 16 bits, the method's in the lower.</summary>
public enum MethodId
{
    /// <summary>connection.start</summary>
    ConnectionStart = (10 << 16) | 10,

    /// <summary>connection.start-ok</summary>
    ConnectionStartOk = (10 << 16) | 11,

    /// <summary>connection.secure</summary>
    ConnectionSecure = (10 << 16) | 20,

    /// <summary>connection.secure-ok</summary>
    ConnectionSecureOk = (10 << 16) | 21,

    /// <summary>connection.tune</summary>
    ConnectionTune = (10 << 16) | 30,

    /// <summary>connection.tune-ok</summary>
    ConnectionTuneOk = (10 << 16) | 31,

    /// <summary>connection.open</summary>
    ConnectionOpen = (10 << 16) | 40,

    /// <summary>connection.open-ok</summary>
    ConnectionOpenOk = (10 << 16) | 41,

    /// <summary>connection.close</summary>
    ConnectionClose = (10 << 16) | 50,

    /// <summary>connection.close-ok</summary>
    ConnectionCloseOk = (10 << 16) | 51,

    /// <summary>connection.blocked</summary>
    ConnectionBlocked = (10 << 16) | 60,

    /// <summary>connection.unblocked</summary>
    ConnectionUnblocked = (10 << 16) | 61,

    /// <summary>connection.update-secret</summary>
    ConnectionUpdateSecret = (10 << 16) | 70,

    /// <summary>connection.update-secret-ok</summary>
    ConnectionUpdateSecretOk = (10 << 16) | 71,

    /// <summary>channel.open</summary>
    ChannelOpen = (20 << 16) | 10,

    /// <summary>channel.open-ok</summary>
    ChannelOpenOk = (20 << 16) | 11,

    /// <summary>channel.flow</summary>
    ChannelFlow = (20 << 16) | 20,

    /// <summary>channel.flow-ok</summary>
    ChannelFlowOk = (20 << 16) | 21,

    /// <summary>channel.close</summary>
    ChannelClose = (20 << 16) | 40,

    /// <summary>channel.close-ok</summary>
    ChannelCloseOk = (20 << 16) | 41,

    /// <summary>exchange.declare</summary>
    ExchangeDeclare = (40 << 16) | 10,

    /// <summary>exchange.declare-ok</summary>
    ExchangeDeclareOk = (40 << 16) | 11,

    /// <summary>exchange.delete</summary>
    ExchangeDelete = (40 << 16) | 20,

    /// <summary>exchange.delete-ok</summary>
    ExchangeDeleteOk = (40 << 16) | 21,

    /// <summary>exchange.bind</summary>
    ExchangeBind = (40 << 16) | 30,

    /// <summary>exchange.bind-ok</summary>
    ExchangeBindOk = (40 << 16) | 31,

    /// <summary>exchange.unbind</summary>
    ExchangeUnbind = (40 << 16) | 40,

    /// <summary>exchange.unbind-ok</summary>
    ExchangeUnbindOk = (40 << 16) | 51,

    /// <summary>queue.declare</summary>
    QueueDeclare = (50 << 16) | 10,

    /// <summary>queue.declare-ok</summary>
    QueueDeclareOk = (50 << 16) | 11,

    /// <summary>queue.bind</summary>
    QueueBind = (50 << 16) | 20,

    /// <summary>queue.bind-ok</summary>
    QueueBindOk = (50 << 16) | 21,

    /// <summary>queue.purge</summary>
    QueuePurge = (50 << 16) | 30,

    /// <summary>queue.purge-ok</summary>
    QueuePurgeOk = (50 << 16) | 31,

    /// <summary>queue.delete</summary>
    QueueDelete = (50 << 16) | 40,

    /// <summary>queue.delete-ok</summary>
    QueueDeleteOk = (50 << 16) | 41,

    /// <summary>queue.unbind</summary>
    QueueUnbind = (50 << 16) | 50,

    /// <summary>queue.unbind-ok</summary>
    QueueUnbindOk = (50 << 16) | 51,

    /// <summary>basic.qos</summary>
    BasicQos = (60 << 16) | 10,

    /// <summary>basic.qos-ok</summary>
    BasicQosOk = (60 << 16) | 11,

    /// <summary>basic.consume</summary>
    BasicConsume = (60 << 16) | 20,

    /// <summary>basic.consume-ok</summary>
    BasicConsumeOk = (60 << 16) | 21,

    /// <summary>basic.cancel</summary>
    BasicCancel = (60 << 16) | 30,

    /// <summary>basic.cancel-ok</summary>
    BasicCancelOk = (60 << 16) | 31,

    /// <summary>basic.publish</summary>
    BasicPublish = (60 << 16) | 40,

    /// <summary>basic.return</summary>
    BasicReturn = (60 << 16) | 50,

    /// <summary>basic.deliver</summary>
    BasicDeliver = (60 << 16) | 60,

    /// <summary>basic.get</summary>
    BasicGet = (60 << 16) | 70,

    /// <summary>basic.get-ok</summary>
    BasicGetOk = (60 << 16) | 71,

    /// <summary>basic.get-empty</summary>
    BasicGetEmpty = (60 << 16) | 72,

    /// <summary>basic.ack</summary>
    BasicAck = (60 << 16) | 80,

    /// <summary>basic.reject</summary>
    BasicReject = (60 << 16) | 90,

    /// <summary>basic.recover-async</summary>
    BasicRecoverAsync = (60 << 16) | 100,

    /// <summary>basic.recover</summary>
    BasicRecover = (60 << 16) | 110,

    /// <summary>basic.recover-ok</summary>
    BasicRecoverOk = (60 << 16) | 111,

    /// <summary>basic.nack</summary>
    BasicNack = (60 << 16) | 120,

    /// <summary>confirm.select</summary>
    ConfirmSelect = (85 << 16) | 10,

    /// <summary>confirm.select-ok</summary>
    ConfirmSelectOk = (85 << 16) | 11,

    /// <summary>tx.select</summary>
    TxSelect = (90 << 16) | 10,

    /// <summary>tx.select-ok</summary>
    TxSelectOk = (90 << 16) | 11,

    /// <summary>tx.commit</summary>
    TxCommit = (90 << 16) | 20,

    /// <summary>tx.commit-ok</summary>
    TxCommitOk = (90 << 16) | 21,

    /// <summary>tx.rollback</summary>
    TxRollback = (90 << 16) | 30,

    /// <summary>tx.rollback-ok</summary>
    TxRollbackOk = (90 << 16) | 31,
}
