using Sensors;
#region first usings
using Wire;
using Wire.RabbitMQ.Streams;
#endregion

/// <summary>The first program of docs/streams.md: readings into a stream, and all of them out again.</summary>
internal static class FirstProgram
{
    public static async Task RunAsync(string uri)
    {
        #region first
        await using StreamClient client = await StreamClient.ConnectAsync(StreamClientOptions.Parse(uri) with
        {
            Serializer = new Serializer(new SerializerOptions // uri: rabbitmq-stream://guest:guest@localhost:5552
            {
                TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Reading>(), // what a message may name
            }),
        });
        await client.EnsureStreamAsync("readings");

        await using StreamProducer producer = await client.CreateProducerAsync("readings");
        await producer.SendAsync(new Temperature(Sensor: 7, At: 1, Celsius: 21.5)); // the broker has it when this returns

        var read = new TaskCompletionSource();
        await using StreamConsumer consumer = await client.ConsumeAsync<Reading>(
            "readings",
            (reading, message) =>
            {
                Console.WriteLine($"{message.Offset}: {reading}"); // 0: Temperature { Sensor = 7, At = 1, Celsius = 21.5 }
                read.TrySetResult();
                return ValueTask.CompletedTask;
            },
            new StreamConsumerOptions { Offset = StreamOffset.First });
        await read.Task;
        #endregion

        await consumer.CloseAsync();
        await producer.CloseAsync();
        await client.DeleteStreamAsync("readings");
    }
}
