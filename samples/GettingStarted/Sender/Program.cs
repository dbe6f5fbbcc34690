#region usings
using Shop;
using Wire;
#endregion

if (args is [_, ..])
{
    await Queue.SendAsync(args[0]);
    return;
}

#region sender
var serializer = new Serializer();

Message[] messages = [new OrderPlaced(Guid.NewGuid(), "Ada", 19.90m), new OrderShipped(Guid.NewGuid(), DateTime.UtcNow, 2)];
byte[] bytes = serializer.Serialize(messages);
File.WriteAllBytes("messages.bin", bytes);
Console.WriteLine($"wrote {messages.Length} messages, {bytes.Length} bytes");
#endregion
