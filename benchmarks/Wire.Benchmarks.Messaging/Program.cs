using Wire.Benchmarks.Messaging.Codecs;
using Wire.Benchmarks.Messaging.Lane;
using Wire.Benchmarks.Messaging.RabbitMQ;
using Wire.Benchmarks.Messaging.Streams;

const string Usage = """
    --quick [--only NAME] [--json FILE]    the codecs of AMQP in one process, interleaved, in half a minute
                                           --only: that name, else all that contain it; FILE keeps what else it has
    --command TEXT                         the command that is named beside the figures, instead of this one
    --report --json FILE                   the tables of docs/performance/amqp.md, from a file of results
    --rabbitmq [--only NAME]               with the broker that WIRE_RABBITMQ_URI names; all of it also goes into
                                           docs/performance/rabbitmq.md
    --faults [--only NAME]                 what is lost while connections are cut (nothing); the same broker and page
    --lane [--only NAME]                   the direct lane; the same broker; all of it also goes into docs/performance/client.md
    --streams [--only NAME]                streams; the same broker; all of it also goes into docs/performance/streams.md
    --streams88                            88 million messages through a stream: up to 11 GB on the broker's disk; into the same page
    --help                                 this text
    """;

return await Command.RunAsync(args, Usage, RunAsync);

static async Task RunAsync(string[] args)
{
    switch (args)
    {
        case ["--quick", ..]:
            Quick.Run(Options.Parse(args), CodecSuite.All);
            break;
        case ["--report", ..]:
            AmqpReport.Write(Options.Parse(args));
            break;
        case ["--rabbitmq", ..]:
            await BrokerBench.RunAsync(Options.Parse(args));
            break;
        case ["--faults", ..]:
            await FaultTable.RunAsync(Options.Parse(args));
            break;
        case ["--lane", ..]:
            await LaneBench.RunAsync(Options.Parse(args));
            break;
        case ["--streams", ..]:
            await StreamBench.RunAsync(Options.Parse(args));
            break;
        case ["--streams88"]:
            await Headline.RunAsync(Options.Parse(args));
            break;
        case [MemorySample.Mode, .. string[] sample]:
            await MemorySample.RunAsync(sample);
            break;
        case [Sink.Mode]:
            Sink.Run();
            break;
        default:
            throw new UsageException($"'{string.Join(' ', args)}' is not known.");
    }
}
