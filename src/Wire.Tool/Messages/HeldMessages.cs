using Wire.Tool.Running;

namespace Wire.Tool.Messages;

/// <summary>
/// Messages that are kept until the queue has them all back: writing them may wait for whoever reads the output.
/// </summary>
/// <param name="most">The number of messages.</param>
/// <param name="mostBytes">The number of bytes that they may take.</param>
internal sealed class HeldMessages(long most, long mostBytes)
{
    // Of what is no bytes: properties, and objects around them.
    private const int CostOfMessage = 2_000;

    private readonly List<BrokerMessage> _messages = [];
    private long _bytes;

    /// <summary>Gets the number of messages.</summary>
    public int Count => _messages.Count;

    /// <summary>Keeps a message; false where there is no room for another one.</summary>
    public bool Add(BrokerMessage message)
    {
        _messages.Add(message);
        _bytes += message.Body.Held + CostOfMessage;
        return _messages.Count < most && _bytes <= mostBytes;
    }

    /// <summary>Writes the messages.</summary>
    public void Write(MessageOutput output)
    {
        _messages.ForEach(output.Write);
        if (_bytes > mostBytes)
        {
            output.Complain(
                FormattableString.Invariant($"The first {Count} messages fill the memory that they may take: see --memory."),
                ExitCodes.Refused);
        }

        output.Conclude();
    }
}
