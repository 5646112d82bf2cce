// A small convolutional network on a batch of pictures: convolution, rectifier, pooling, normalisation, dense layers, softmax.
// Arguments: side of the pictures, pictures. In tests: 12 1
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

struct Tensor {
    int channels = 0, height = 0, width = 0;
    std::vector<float> values;

    Tensor() = default;
    Tensor(int c, int h, int w) : channels(c), height(h), width(w), values(c * h * w) {}
    float &at(int c, int y, int x) { return values[(c * height + y) * width + x]; }
    float at(int c, int y, int x) const { return values[(c * height + y) * width + x]; }
};

class Layer {
public:
    virtual ~Layer() = default;
    virtual Tensor forward(const Tensor &in) const = 0;
};

static float weight(std::minstd_rand &random, float scale) {
    return scale * (float(random() % 20001) / 10000.0f - 1.0f);
}

class Convolution : public Layer {
public:
    Convolution(int in, int out, int size, std::minstd_rand &random)
        : in_(in), out_(out), size_(size), weights_(in * out * size * size), bias_(out) {
        for (float &w : weights_)
            w = weight(random, 1.0f / std::sqrt(float(in * size * size)));
        for (float &b : bias_)
            b = weight(random, 0.1f);
    }

    Tensor forward(const Tensor &in) const override {
        int r = size_ / 2;
        Tensor padded(in.channels, in.height + 2 * r, in.width + 2 * r);
        for (int c = 0; c < in.channels; c++)
            for (int y = 0; y < in.height; y++)
                for (int x = 0; x < in.width; x++)
                    padded.at(c, y + r, x + r) = in.at(c, y, x);
        Tensor out(out_, in.height, in.width);
        for (int o = 0; o < out_; o++) {
            for (int y = 0; y < in.height; y++) {
                for (int x = 0; x < in.width; x++) {
                    float sum = bias_[o];
                    for (int c = 0; c < in_; c++)
                        for (int ky = 0; ky < size_; ky++)
                            for (int kx = 0; kx < size_; kx++)
                                sum += weights_[((o * in_ + c) * size_ + ky) * size_ + kx] * padded.at(c, y + ky, x + kx);
                    out.at(o, y, x) = sum;
                }
            }
        }
        return out;
    }

private:
    int in_, out_, size_;
    std::vector<float> weights_, bias_;
};

class Rectifier : public Layer {
public:
    Tensor forward(const Tensor &in) const override {
        Tensor out = in;
        for (float &v : out.values)
            v = std::max(v, 0.0f);
        return out;
    }
};

class Pooling : public Layer {
public:
    Tensor forward(const Tensor &in) const override {
        Tensor out(in.channels, in.height / 2, in.width / 2);
        for (int c = 0; c < out.channels; c++)
            for (int y = 0; y < out.height; y++)
                for (int x = 0; x < out.width; x++)
                    out.at(c, y, x) = std::max(std::max(in.at(c, 2 * y, 2 * x), in.at(c, 2 * y, 2 * x + 1)),
                                               std::max(in.at(c, 2 * y + 1, 2 * x), in.at(c, 2 * y + 1, 2 * x + 1)));
        return out;
    }
};

class Normalisation : public Layer {
public:
    Tensor forward(const Tensor &in) const override {
        Tensor out(in.channels, in.height, in.width);
        for (int c = 0; c < in.channels; c++) {
            float mean = 0.0f, variance = 0.0f;
            int count = in.height * in.width;
            for (int y = 0; y < in.height; y++)
                for (int x = 0; x < in.width; x++)
                    mean += in.at(c, y, x);
            mean /= count;
            for (int y = 0; y < in.height; y++)
                for (int x = 0; x < in.width; x++)
                    variance += (in.at(c, y, x) - mean) * (in.at(c, y, x) - mean);
            float scale = 1.0f / std::sqrt(variance / count + 1e-5f);
            for (int y = 0; y < in.height; y++)
                for (int x = 0; x < in.width; x++)
                    out.at(c, y, x) = (in.at(c, y, x) - mean) * scale;
        }
        return out;
    }
};

class Dense : public Layer {
public:
    Dense(int in, int out, std::minstd_rand &random) : weights_(out, std::vector<float>(in)), bias_(out) {
        for (auto &row : weights_)
            for (float &w : row)
                w = weight(random, 1.0f / std::sqrt(float(in)));
    }

    Tensor forward(const Tensor &in) const override {
        Tensor out(int(weights_.size()), 1, 1);
        for (std::size_t o = 0; o < weights_.size(); o++) {
            float sum = bias_[o];
            for (std::size_t i = 0; i < in.values.size(); i++)
                sum += weights_[o][i] * in.values[i];
            out.values[o] = sum;
        }
        return out;
    }

private:
    std::vector<std::vector<float>> weights_;
    std::vector<float> bias_;
};

static std::vector<float> softmax(const std::vector<float> &x) {
    float most = *std::max_element(x.begin(), x.end()), sum = 0.0f;
    std::vector<float> y(x.size());
    for (std::size_t i = 0; i < x.size(); i++)
        sum += y[i] = std::exp(x[i] - most);
    for (float &v : y)
        v /= sum;
    return y;
}

int main(int argc, char **argv) {
    int side = argc > 1 ? std::atoi(argv[1]) : 64, pictures = argc > 2 ? std::atoi(argv[2]) : 16;
    std::minstd_rand random(3);
    std::vector<std::unique_ptr<Layer>> layers;
    layers.push_back(std::make_unique<Convolution>(3, 16, 5, random));
    layers.push_back(std::make_unique<Rectifier>());
    layers.push_back(std::make_unique<Pooling>());
    layers.push_back(std::make_unique<Convolution>(16, 32, 3, random));
    layers.push_back(std::make_unique<Normalisation>());
    layers.push_back(std::make_unique<Rectifier>());
    layers.push_back(std::make_unique<Pooling>());
    layers.push_back(std::make_unique<Convolution>(32, 48, 3, random));
    layers.push_back(std::make_unique<Rectifier>());
    layers.push_back(std::make_unique<Dense>(48 * (side / 4) * (side / 4), 128, random));
    layers.push_back(std::make_unique<Rectifier>());
    layers.push_back(std::make_unique<Dense>(128, 10, random));
    double total = 0.0;
    for (int n = 0; n < pictures; n++) {
        Tensor t(3, side, side);
        for (int c = 0; c < 3; c++)
            for (int y = 0; y < side; y++)
                for (int x = 0; x < side; x++)
                    t.at(c, y, x) = std::sin(0.1f * (c + 1) * (x + n)) * std::cos(0.07f * y);
        for (const auto &layer : layers)
            t = layer->forward(t);
        std::vector<float> p = softmax(t.values);
        for (std::size_t i = 0; i < p.size(); i++)
            total += p[i] * (i + 1);
        std::printf("class %d probability %.9g\n", int(std::max_element(p.begin(), p.end()) - p.begin()),
                    *std::max_element(p.begin(), p.end()));
    }
    std::printf("sum %.17g\n", total);
    return 0;
}
