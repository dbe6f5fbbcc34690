namespace Wire.RabbitMQ.Streams.Protocol;

/// <summary>What the broker wants to know beside: nothing with PLAIN and EXTERNAL, and RabbitMQ leaves the field out then.</summary>
internal struct SaslChallenge : IFieldGroup<SaslChallenge>;
