using System.Diagnostics;
using Wire.Fuzz.Coverage;
using Wire.Fuzz.Mutation;
using Wire.Testing.Fuzzing;

namespace Wire.Fuzz.Running;

/// <summary>
/// Tries inputs, keeps those that reach new code, and reports findings. It runs in a process of its own, which may crash.
/// </summary>
internal sealed class Worker
{
    private const int ExecutionsPerProbe = 256;

    // Longer ones are slow, and what they reach is mostly the same once more.
    private const int MaxKeptBytes = 3000;

    private static readonly TimeSpan MinimizeFor = TimeSpan.FromSeconds(20);

    private readonly FuzzOptions _options;
    private readonly Journal _journal;
    private readonly CoverageMap _coverage;
    private readonly Target[] _targets;
    private readonly Corpus _corpus;
    private readonly Findings _findings;
    private readonly Random _random;
    private readonly Pool _pool = new();
    private readonly Mutator _mutator;
    private readonly Dictionary<Target, int> _numbers;

    public Worker(FuzzOptions options, Journal journal, CoverageMap coverage)
    {
        _options = options;
        _journal = journal;
        _coverage = coverage;
        _targets = [.. AllTargets.All.Where(target => target.Name.Contains(options.Target, StringComparison.Ordinal))];
        _corpus = new Corpus(_targets, options.CorpusFolder);
        _findings = new Findings(options.Vectors);
        _random = new Random(options.Seed);
        _mutator = new Mutator(_random, _pool);
        _numbers = AllTargets.All.Select((target, i) => (target, i)).ToDictionary(pair => pair.target, pair => pair.i);
    }

    /// <summary>Tries inputs until the time or the number is reached.</summary>
    public void Run()
    {
        long start = Stopwatch.GetTimestamp();
        Begin();
        int[] untilProbe = [.. _targets.Select(_ => ExecutionsPerProbe)];
        while (_journal.Executions < _options.Executions && Stopwatch.GetElapsedTime(start).TotalSeconds < _options.Seconds)
        {
            int number = _random.Next(_targets.Length);
            Target target = _targets[number];
            Entry entry = _corpus.Pick(target, _random);
            byte[] other = _corpus.Pick(target, _random).Bytes;
            Try(target, _mutator.Next(entry.Bytes, other, Corpus.LayoutOf(target.Format)));
            if (--untilProbe[number] == 0)
            {
                untilProbe[number] = ExecutionsPerProbe;
                Probe(target);
            }
        }
    }

    private void Begin()
    {
        foreach (Target target in _targets)
        {
            foreach (Seed seed in target.Seeds)
            {
                // What the program itself loads for its own types is not the doing of any input.
                _journal.Begin(_numbers[target], seed.Bytes);
                try
                {
                    target.Check(seed.Bytes, target.Read(seed.Bytes));
                }
                catch (BrokenPromiseException)
                {
                    // A good input is a finding like any other, and no reason not to try the rest.
                    if (Judge(target, seed.Bytes).Finding is { } finding && _findings.IsNew(finding))
                    {
                        Report(target, seed.Bytes, finding);
                    }
                }

                _corpus.Add(new Entry(target, seed.Bytes));
                Harvest(target, seed.Bytes);
            }

            target.Probe();
        }

        foreach (Entry entry in _corpus.Saved().ToArray())
        {
            Judge(entry.Target, entry.Bytes);
            _corpus.Add(entry);
            Harvest(entry.Target, entry.Bytes);
        }

        _coverage.Merge();
        _journal.CorpusSize = _corpus.Count;
    }

    private void Try(Target target, byte[] input)
    {
        Verdict verdict = Judge(target, input);
        _journal.Executions++;
        if (_coverage.Merge() && input.Length <= MaxKeptBytes)
        {
            var entry = new Entry(target, input);
            _corpus.Add(entry);
            _corpus.Save(entry);
            Harvest(target, input);
            _journal.CorpusSize = _corpus.Count;
        }

        if (verdict.Finding is { } finding && _findings.IsNew(finding))
        {
            Report(target, input, finding);
            _coverage.Clear();
        }
    }

    private void Report(Target target, byte[] input, Finding finding)
    {
        bool IsSame(byte[] candidate) => Judge(target, candidate).Finding?.Signature == finding.Signature;

        bool comesAgain = IsSame(input);
        byte[] shortest = comesAgain ? Minimizer.Minimize(input, IsSame, MinimizeFor) : input;
        _findings.Add(comesAgain ? finding : finding with { Kind = $"{finding.Kind}, once" }, shortest);
    }

    private void Probe(Target target)
    {
        if (Oracle.Probe(target) is { } finding && _findings.IsNew(finding))
        {
            // Which of the many inputs before it is to blame is not known; the last one is as good as any.
            _findings.Add(finding, _journal.Current()?.Input ?? []);
        }
    }

    private Verdict Judge(Target target, byte[] input)
    {
        _journal.Begin(_numbers[target], input);
        return Oracle.Judge(target, input);
    }

    private void Harvest(Target target, byte[] input)
    {
        if (Corpus.LayoutOf(target.Format) is { } layoutOf)
        {
            _pool.Harvest(layoutOf(input), _random);
        }
    }
}
