using Wire.Amqp;

namespace Wire.RabbitMQ.Connections.Lane;

/// <summary>The string of a text that is mostly the same as the one before, and then is not made anew. For one thread at a time.</summary>
internal struct LastText
{
    private string? _last;

    /// <summary>The string.</summary>
    public string Of(AmqpString text) => text.IsEmpty ? "" : _last is not null && text.Equals(_last) ? _last : _last = text.ToString();
}
