namespace Wire.Testing.Fuzzing;

/// <summary>What holds of targets whatever the fuzzer finds. Each project of tests that has some asks for it.</summary>
public static class TargetAssert
{
    /// <summary>Good inputs are read, written and read again.</summary>
    public static void SeedsAreRead(Target target)
    {
        Assert.NotEmpty(target.Seeds);
        foreach (Seed seed in target.Seeds)
        {
            target.Check(seed.Bytes, target.Read(seed.Bytes));
        }

        for (int i = 0; i < target.Seeds.Count; i++)
        {
            target.Probe();
        }
    }

    /// <summary>Where inputs say where they end, a good one without its last bytes is a format error, whatever is missing.</summary>
    public static void CutSeedsAreRefused(Target target)
    {
        foreach ((int i, Seed seed) in (target.IsClosed ? target.Seeds : []).Index())
        {
            foreach (int length in Enumerable.Range(0, seed.Bytes.Length).Sample(among: 16, i))
            {
                byte[] cut = seed.Bytes[..length];
                Exception? failure = Record.Exception(() => target.Read(cut));
                Assert.True(
                    failure is WireFormatException { Offset: >= 0 },
                    $"{seed} cut to {length} bytes: {failure?.ToString() ?? "no error"}");
            }
        }
    }

    /// <summary>An input that once broke a promise keeps all of them.</summary>
    public static void BreaksNoPromise(IEnumerable<Target> targets, string file)
    {
        Regression regression = Regression.Read(file);
        Finding? finding = Replay(targets.Single(target => target.Name == regression.Target), regression.Input);
        Assert.True(finding is null, $"{file}: {finding?.Signature}\n{finding?.Message}");
    }

    /// <summary>Tries an input once more, as a target does that has met its seeds.</summary>
    public static Finding? Replay(Target target, byte[] input)
    {
        foreach (Seed seed in target.Seeds)
        {
            target.Read(seed.Bytes);
        }

        return Oracle.Judge(target, input).Finding ?? Oracle.Probe(target);
    }
}
